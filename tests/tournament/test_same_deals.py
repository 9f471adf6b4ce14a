"""The same deals at all tables of a round: names, seeds, and when they are shown."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest
from little_tournament import made
from pure_tournament import SECRET, PureTournament, config_of, first_wins

from peloarena.game import ConfigError
from peloarena.tournament.config import TournamentFile, check_tournament_file, parse_config
from peloarena.tournament.host_commands import GameFilter, void_finished_games
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament


def swiss(entries: int = 4) -> PureTournament:
    return PureTournament(config_of(format="swiss", deals=2, rounds=2, same_deals=True), entries, first_wins)


def test_all_tables_of_a_round_have_the_same_seeds_and_names_of_their_own() -> None:
    games = swiss().missing()
    assert [game.game for game in games[:2]] == ["r01-1.3-d001-s1", "r01-1.3-d001-s2"]
    assert len({game.game for game in games}) == 8
    assert {game.seed for game in games if game.deal == 1} == {
        hmac.new(SECRET, b'["","main",1,1,[],0]', hashlib.sha256).hexdigest()
    }
    assert len({game.seed for game in games}) == 2


def test_rounds_have_deals_of_their_own() -> None:
    tournament = swiss()
    tournament.play_all()
    seeds = {number: {f.seed for f in tournament.state.fixtures(tournament.rounds[number - 1])} for number in (1, 2)}
    assert not seeds[1] & seeds[2]


def test_deal_is_shown_when_all_tables_have_played_it() -> None:
    tournament = swiss()
    games = tournament.missing()
    mine, other = ([game for game in games if game.deal == 1 and 1 in game.entries] for _ in range(2))
    other = [game for game in games if game.deal == 1 and 1 not in game.entries]
    for game in (*mine, other[0]):
        tournament.play(game)
    assert not tournament.state.gate(False).may_show_record(mine[0])
    tournament.play(other[1])
    assert tournament.state.gate(False).may_show_record(mine[0])
    assert not tournament.state.gate(False).may_show_record(games[-1])


def test_cup_shows_a_deal_when_no_table_can_come_to_it_any_more() -> None:
    """One match is decided after two of three deals; the other plays the third, which was not shown before."""
    config = config_of(format="knockout", deals=3, same_deals=True, third_place=False)
    tournament = PureTournament(config, 4, lambda f: (1, 1) if 2 in f.entries else first_wins(f))
    decided = [game for game in tournament.missing() if 1 in game.entries]
    for game in decided:
        tournament.play(game)
    assert not tournament.state.gate(False).may_show_record(decided[0])
    while left := [game for game in tournament.missing() if game.round == 1]:
        tournament.play(left[0])
    games = tournament.state.finished_games(tournament.rounds[0])
    assert {game.fixture.deal for game in games if 1 in game.fixture.entries} == {1, 2}
    assert {game.fixture.deal for game in games if 2 in game.fixture.entries} == set(range(1, 8))
    assert all(tournament.state.gate(False).may_show_record(game.fixture) for game in games)


def test_void_game_of_an_open_deal_voids_it_at_all_tables(tmp_path: Path) -> None:
    text = 'name = "N"\nbots = ["x"]\nformat = "swiss"\nrounds = 1\ndeals = 1\nsame_deals = true\n'
    with Store.open_to_change(made(tmp_path / "s.sqlite", text, "abcd")) as store:
        names = void_finished_games(store, GameFilter("r01-1.3-d001-s1"), "power cut")
        assert sorted(names) == [f"r01-{table}-d001-s{seating}" for table in ("1.3", "2.4") for seating in (1, 2)]
        missing = [fixture.game for fixture in load_tournament(store).due_fixtures()]
    assert sorted(missing) == [f"{name}-x1" for name in sorted(names)]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('format = "swiss"\nrestart = "never"', "a process would meet a deal again at another table"),
        ('format = "knockout"\nrestart = "deal"', 'set restart = "game"'),
        ('format = "round-robin"', "only for swiss and knockout"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused_with_the_reason(keys: str, said: str) -> None:
    config = parse_config(f'name = "N"\nbots = ["x"]\nsame_deals = true\n{keys}\n', "night.toml")
    with pytest.raises(ConfigError, match=said):
        check_tournament_file(TournamentFile(config, "", "", ""), "night.toml")
