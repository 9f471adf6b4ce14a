"""The parts of a cluster, without Dask: addresses, bundles, which node plays, what a verifier believes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing
from little_bots import little_bot
from msgspec.structs import replace

from peloarena.cluster.address import ClusterAddress, check_cluster_address
from peloarena.cluster.bundle_install import install_bundle
from peloarena.cluster.bundles import Bundle, BundleFile, make_bundle, parse_bot_path, pieces_of, unpack_bundle
from peloarena.cluster.cluster_runner import ClusterRunner
from peloarena.cluster.fleet import Fleet, FleetNode
from peloarena.cluster.probe import ProbeResult, Versions, parse_probe_result, versions_problem
from peloarena.cluster.remote_jobs import RemoteJob, make_remote_job
from peloarena.cluster.spot_checks import SpotChecks
from peloarena.cluster.unfinished_deals import node_of_record
from peloarena.cluster.verifier import FalseReport, NodeFailure, VerifiedReport, VerifyRequest, check_request
from peloarena.cluster.wire_messages import SeenNode
from peloarena.game import ConfigError, encode, make_options
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.record_verification import verify_record
from peloarena.referee.sandbox.isolation import prepare
from peloarena.tournament.game_runner import GamePlayed, JobFailed, MachineLost, open_runner

NO_WORDS = (("", "", ""),) * 2
"""The little bots have no bot.toml."""
HASH = f"v2-{'0' * 64}"
OTHER = f"v2-{'1' * 64}"
PROBE_RESULT = ProbeResult(Versions(), "host", 2, 2, 1000.0, 0.0, 0.0, 0.0)


# ---- addresses


def test_tcp_beyond_this_machine_needs_the_hosts_word() -> None:
    with pytest.raises(ConfigError, match="--trust-network"):
        check_cluster_address("tcp://192.0.2.7:8786", None, False)
    assert check_cluster_address("tcp://192.0.2.7:8786", None, True).url == "tcp://192.0.2.7:8786"
    assert check_cluster_address("tcp://localhost:8786", None, False).url.endswith(":8786")


def test_tls_needs_certificates_and_an_address_a_protocol() -> None:
    with pytest.raises(ConfigError, match="--certificates DIR"):
        check_cluster_address("tls://127.0.0.1:8786", None, False)
    with pytest.raises(ConfigError, match="is not the address of a cluster"):
        check_cluster_address("127.0.0.1:8786", None, False)


def test_without_the_option_nothing_of_dask_is_imported() -> None:
    """Nor with it, in the runner's own process."""
    program = (
        "import sys, peloarena.cli.tournament_run, peloarena.cli.cluster, peloarena.cluster.cluster_runner\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('dask', 'distributed')])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


# ---- bots on their way


def test_a_bot_arrives_as_it_was_and_has_its_hash(tmp_path: Path) -> None:
    source = Path(little_bot(tmp_path, "bot"))
    (source / "link").symlink_to("main.py")
    there = tmp_path / "there"
    there.mkdir()
    unpack_bundle(make_bundle(source), there)
    assert find_bot(there).digest == find_bot(source).digest


def test_pieces_make_the_whole_again() -> None:
    data = bytes(9 * 1024 * 1024)
    pieces = list(pieces_of(data))
    assert b"".join(part for _, _, part in pieces) == data
    assert [(number, last) for number, last, _ in pieces] == [(0, False), (1, False), (2, True)]


@pytest.mark.parametrize("name", [b"../out", b"/out", b"a/../../out", b""])
def test_a_bundle_that_leads_out_of_its_folder_is_refused(tmp_path: Path, name: bytes) -> None:
    data = msgspec.msgpack.encode(Bundle((BundleFile(name, "f", b""),)))
    with pytest.raises(ConfigError):
        unpack_bundle(data, tmp_path)


def test_no_file_of_a_bundle_is_written_through_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    files = (BundleFile(b"a", "l", str(outside).encode()), BundleFile(b"a/file", "f", b"x"))
    with pytest.raises(ConfigError):
        unpack_bundle(msgspec.msgpack.encode(Bundle(files)), home)
    assert list(outside.iterdir()) == []


def test_a_bot_whose_files_are_not_those_of_its_hash_is_not_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    data = make_bundle(Path(little_bot(tmp_path, "bot")))
    assert "its files have the hash" in install_bundle(data, f"{HASH}/bot", "off").problem
    assert not (tmp_path / "cache" / "peloarena" / "cluster" / HASH).exists()


def test_bytecode_that_an_earlier_tournament_left_on_a_node_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bot = find_bot(little_bot(tmp_path, "bot"))
    for _ in range(2):
        assert install_bundle(make_bundle(bot.folder), f"{bot.digest}/bot", "off").problem == ""
        pycache = tmp_path / "cache" / "peloarena" / "cluster" / bot.digest / "bot" / "__pycache__"
        assert [file.read_bytes() for file in pycache.iterdir() if file.name.startswith("planted")] == []
        (pycache / "planted.pyc").write_bytes(b"other code")


@pytest.mark.parametrize(
    "place", ["/etc", "../x", f"{HASH}/bot/../../x", f"{HASH}/bot/..", f"{HASH}/other", "v1-00/bot"]
)
def test_only_places_of_bots_are_places(place: str) -> None:
    with pytest.raises(ConfigError):
        parse_bot_path(place)


# ---- which node plays


def fleet_of(*names: str) -> tuple[Fleet, list[FleetNode]]:
    fleet = Fleet()
    nodes = fleet.update([SeenNode(f"tcp://{name}", name, "", 2) for name in names], "")
    for node in nodes:
        fleet.set_probe_result(node, PROBE_RESULT, "", 1.0)
    return fleet, nodes


def test_all_seatings_of_a_deal_stay_on_one_node_as_long_as_it_is_there() -> None:
    fleet, (blue, green) = fleet_of("blue", "green")
    first = fleet.choose("deal", [HASH])
    assert first is blue
    blue.busy = 2
    assert fleet.choose("deal", [HASH]) is None
    assert fleet.choose("another", [HASH]) is green
    fleet.update([green.seen], "")
    assert fleet.choose("deal", [HASH]) is green


def test_the_next_short_game_lies_ready_at_a_node_but_a_free_slot_comes_first() -> None:
    """Two slots each. A long game is never given to a node that has to play others first."""
    fleet, (blue, green) = fleet_of("blue", "green")
    blue.busy = green.busy = 2
    assert fleet.choose("a", [HASH]) is None
    blue.game_seconds = 0.1
    assert (fleet.capacity, blue.spare_capacity, green.spare_capacity) == (6, 2, 0)
    assert fleet.choose("b", [HASH]) is blue
    green.busy = 1
    assert fleet.choose("c", [HASH]) is green
    blue.busy, green.busy = 4, 2
    assert fleet.choose("b", [HASH]) is None
    blue.busy, blue.game_seconds = 2, 60.0
    assert fleet.choose("d", [HASH]) is None


def test_a_half_played_deal_waits_for_its_node_while_that_is_looked_at_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1000.0]
    monkeypatch.setattr("peloarena.cluster.fleet.time.monotonic", lambda: now[0])
    fleet, (green,) = fleet_of("green")
    fleet.pins["deal"] = "blue"
    (blue,) = fleet.update([green.seen, SeenNode("tcp://blue", "blue", "", 2)], "")
    assert fleet.choose("deal", [HASH]) is None
    assert fleet.choose("another", [HASH]) is green
    fleet.set_probe_result(blue, PROBE_RESULT, "", 1.0)
    assert fleet.choose("deal", [HASH]) is blue
    blue.probe_result = None
    now[0] += 61.0
    assert fleet.choose("deal", [HASH]) is green


def test_a_node_that_lacks_a_bot_plays_the_others_games() -> None:
    fleet, (blue, _) = fleet_of("blue", "green")
    blue.bot_problems[HASH] = "no compiler"
    assert {node.name for deal in "abc" if (node := fleet.choose(deal, [HASH])) is not None} == {"green"}
    assert fleet.choose("d", [OTHER]) is blue


def test_a_benched_node_stays_benched_when_it_comes_back() -> None:
    fleet, (blue, green) = fleet_of("blue", "green")
    fleet.bench(blue, "it lies")
    assert fleet.choose("deal", [HASH]) is green
    fleet.update([green.seen], "")
    (again,) = fleet.update([replace(blue.seen, identity="2"), green.seen], "")
    fleet.set_probe_result(again, PROBE_RESULT, "", 1.0)
    assert again.refusal == "benched: it lies"
    assert fleet.capacity == 2


def test_a_node_that_was_lost_is_not_asked_before_it_is_seen_again() -> None:
    fleet, (blue,) = fleet_of("blue")
    blue.is_lost = True
    assert fleet.choose("deal", [HASH]) is None
    assert fleet.waiting_reason() == "a node: all were lost"
    assert fleet.update([blue.seen], "") == []
    assert fleet.choose("deal", [HASH]) is blue


def test_it_is_told_what_a_tournament_waits_for() -> None:
    fleet = Fleet()
    assert fleet.waiting_reason() == "the first answer of the scheduler"
    fleet.update([], "")
    assert fleet.waiting_reason() == "a node: there is no Dask worker in the cluster"
    (node,) = fleet.update([SeenNode("tcp://blue", "blue", "", 1)], "")
    assert fleet.waiting_reason() == "a node: all are still being probed"
    fleet.set_probe_result(node, None, "no sandbox", 0.0)
    assert fleet.waiting_reason() == "a node that may play: blue: no sandbox"
    fleet.set_probe_result(node, PROBE_RESULT, "", 1.0)
    assert fleet.waiting_reason() == ""


def test_a_probe_result_of_another_version_tells_both_even_if_it_has_another_form() -> None:
    text = b'{"versions":{"rules":99,"protocol":1,"record":2,"software":"9.9"},"else":1}'
    with pytest.raises(ConfigError, match=r"incompatible rules version: peloarena 9.9 with rules 99 there"):
        parse_probe_result(text, 1000.0)
    assert versions_problem(Versions()) == ""


# ---- what is believed


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[GameJob, GameReport]:
    """A job as a node gets it, and its honest report."""
    folder = tmp_path_factory.mktemp("played")
    digest = find_bot(little_bot(folder, "bot")).digest
    there = folder / digest
    there.mkdir()
    (folder / "bot").rename(there / "bot")
    seats = tuple(SeatJob(f"{digest}/bot", name, entry=number) for number, name in enumerate(("one", "two"), 1))
    job = GameJob("game", make_options(2), "friday", seats, sandbox="off")
    reports: list[GameReport] = []

    async def main() -> None:
        here = tuple(replace(seat, path=str(folder / seat.path)) for seat in seats)
        async with open_runner(1, "off") as runner:
            reports.append(await runner.play(replace(job, seats=here)))

    trio.run(main)
    return job, reports[0]


def test_an_honest_report_is_believed_and_gets_node_and_speed(played: tuple[GameJob, GameReport]) -> None:
    job, report = played
    opinion = check_request(VerifyRequest(encode(job), "blue", 1.25, encode(GamePlayed(report)), NO_WORDS))
    assert isinstance(opinion, VerifiedReport)
    stamped = msgspec.json.decode(opinion.report, type=GameReport)
    verify_record(stamped.record)
    assert stamped.record.count(b'"node":"blue","speed":1.25') == 1
    assert (node_of_record(stamped.record), node_of_record(report.record)) == ("blue", "")
    assert replace(stamped, record=b"") == replace(report, record=b"")


def test_a_report_that_is_not_the_jobs_is_a_lie(played: tuple[GameJob, GameReport]) -> None:
    job, report = played
    for other in (
        replace(job, seed="saturday"),
        replace(job, game="another"),
        replace(job, faults=1),
        replace(job, seating=1),
        replace(job, seats=(replace(job.seats[0], path=f"{HASH}/bot"), job.seats[1])),
        replace(job, seats=(replace(job.seats[0], name="else"), job.seats[1])),
    ):
        assert isinstance(
            check_request(VerifyRequest(encode(other), "blue", 1.0, encode(GamePlayed(report)), NO_WORDS)), FalseReport
        )


def test_a_record_that_says_otherwise_of_a_bot_than_its_files_is_a_lie(played: tuple[GameJob, GameReport]) -> None:
    """Or one node could make the archive of a tournament bad: the record has the node's hash of itself."""
    job, report = played
    for words in (("2.0", "", ""), ("", "somebody else", ""), ("", "", "Whitespace")):
        data = encode(GamePlayed(report))
        opinion = check_request(VerifyRequest(encode(job), "blue", 1.0, data, (words, NO_WORDS[1])))
        assert opinion == FalseReport("its record has different versions, authors or languages for the bots")


def test_a_report_that_says_otherwise_than_its_record_is_a_lie(played: tuple[GameJob, GameReport]) -> None:
    job, report = played
    worse = replace(report.outcome, ranks=report.outcome.ranks[::-1])
    for other in (
        replace(report, outcome=worse),
        replace(report, game="another"),
        replace(report, seats=("x", "y")),
        replace(report, stats=report.stats[:1]),
        replace(report, stderr=("x" * 2**21, "")),
        replace(report, record=report.record[:-5]),
    ):
        assert isinstance(
            check_request(VerifyRequest(encode(job), "blue", 1.0, encode(GamePlayed(other)), NO_WORDS)), FalseReport
        )


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"[" * 100_000, b'{"type":"played"}'])
def test_bytes_that_are_no_report_are_a_lie_and_a_spoiled_game_is_none(
    data: bytes, played: tuple[GameJob, GameReport]
) -> None:
    job, _ = played
    assert isinstance(check_request(VerifyRequest(encode(job), "blue", 1.0, data, NO_WORDS)), FalseReport)
    assert check_request(
        VerifyRequest(encode(job), "blue", 1.0, encode(JobFailed("no room")), NO_WORDS)
    ) == NodeFailure("no room")


# ---- spot checks


def checked(answers: dict[str, list[str]]) -> tuple[list[str], int]:
    """What is told of a game that came out as "a" on blue, when nodes come out with these digests one after the other;
    and how many sets of bots are taken to play by chance."""
    fleet, (blue, *_) = fleet_of(*answers)

    async def play(
        going: RemoteJob, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, VerifiedReport]:
        node = only or fleet.choose(going.deal, going.digests, avoid)
        assert node is not None
        return node, VerifiedReport(b"", answers[node.name].pop(0))

    told: list[str] = []
    checks = SpotChecks(fleet, play, told.append)
    trio.run(checks.compare, "r01", RemoteJob(b"", "deal", (f"{HASH}/bot",), NO_WORDS, 1.0), blue, "a")
    return told, len(checks.random_bots)


def test_a_game_that_comes_out_differently_elsewhere_names_both_nodes() -> None:
    told, by_chance = checked({"blue": ["a"], "green": ["b", "b"]})
    assert by_chance == 0
    assert told[0].startswith("r01 came out differently on blue and on green")
    told, by_chance = checked({"blue": ["c"], "green": ["b", "b"]})
    assert (len(told), by_chance) == (1, 0)


def test_bots_that_play_by_chance_name_nobody_and_are_not_checked_again() -> None:
    assert checked({"blue": ["c"], "green": ["b", "d"]}) == ([], 1)
    assert checked({"blue": [], "green": ["a"]}) == ([], 0)


def test_a_job_on_its_way_has_one_seed_and_no_place_of_the_host() -> None:
    seats = (
        SeatJob(f"/night.bots/{HASH}/bot", "one"),
        SeatJob(f"/night.bots/{OTHER}/bot/main.py", "two"),
        SeatJob("/night.bots/gone", "three", "withdrawn"),
    )
    going = make_remote_job(GameJob("game", make_options(3), "seed-of-this-deal", seats), Path("/night.bots"), NO_WORDS)
    assert b"night.bots" not in going.data
    assert going.bot_paths == (f"{HASH}/bot", f"{OTHER}/bot/main.py")
    assert going.data.count(b"seed-of-this-deal") == 1


# ---- the runner


@asynccontextmanager
async def cluster_of(*names: str) -> AsyncIterator[tuple[ClusterRunner, trio.Nursery]]:
    """Nobody is there but in its fleet; what was begun in the nursery ends with it."""
    with prepare("off") as isolation:
        async with trio.open_nursery() as nursery:
            cluster = ClusterRunner(ClusterAddress("", ""), "off", Path("/night.bots"), [].append, isolation, nursery)
            cluster.fleet, _ = fleet_of(*names)
            yield cluster, nursery
            nursery.cancel_scope.cancel()


def test_as_many_games_are_on_as_there_is_room_for_and_more_once_they_are_short() -> None:
    async def main() -> None:
        entered, leave = [], [trio.Event() for _ in range(9)]

        async def place(number: int) -> None:
            async with cluster.reserve_capacity():
                entered.append(number)
                await leave[number].wait()

        async with cluster_of("blue") as (cluster, nursery):
            for number in range(9):
                nursery.start_soon(place, number)
            await trio.testing.wait_all_tasks_blocked()
            assert len(entered) == 2
            next(iter(cluster.fleet.nodes.values())).game_seconds = 0.1
            leave[entered[0]].set()
            await trio.testing.wait_all_tasks_blocked()
            assert len(entered) == 5, "one ended, four are on"

    trio.run(main)


def test_what_a_node_still_says_after_it_was_benched_does_not_count() -> None:
    async def main() -> None:
        async with cluster_of("blue") as (cluster, _):
            blue = next(iter(cluster.fleet.nodes.values()))
            cluster.fleet.bench(blue, "it lies")
            with pytest.raises(MachineLost, match="blue is not trusted: benched: it lies"):
                await cluster.verify_report(blue, RemoteJob(b"", "deal", (f"{HASH}/bot",), NO_WORDS, 1.0), b"")

    trio.run(main)
