"""The report: one page that holds together, needs nothing from outside, and shows hostile words as words."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from little_tournament import HOSTILE, HOSTILE_REASON, HOSTILE_STDERR, SECRET, VOID, made

from peloarena.cli.main import cli
from peloarena.game import ConfigError
from peloarena.referee.plain_text import to_plain_text
from peloarena.referee.record_verification import verify_record
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.report.evidence_text import evidence_files
from peloarena.tournament.report.markup import Html, element, text
from peloarena.tournament.report.page import page
from peloarena.tournament.report.plots import HistogramBins, bin_shares, common_bins, short_duration
from peloarena.tournament.report.public_text import without_folders
from peloarena.tournament.report.report_data import ReportData, collect
from peloarena.tournament.report.svg import shorten_name, ticks
from peloarena.tournament.rows import bot_file_name
from peloarena.tournament.store import Store

VOID_ELEMENTS = {"meta", "br"}
TWO = 'name = "Two"\nbots = ["a", "b", "c"]\ndeals = 2\n'
CUP = 'name = "Cup"\nbots = ["a", "b", "c"]\nformat = "knockout"\ndeals = 1\n'
ALONE = 'name = "Alone"\nbots = ["a", "b"]\nformat = "solo"\ndeals = 2\nlevels = [1, 3]\n'


class Page(HTMLParser):
    """Well-formed or AssertionError. Collects elements, and the text of each kind of element."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in {tag}"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, name: str) -> Iterator[str]:
        """The values of an attribute."""
        return (attrs[name] or "" for _, attrs in self.elements if name in attrs)

    @property
    def text(self) -> str:
        return "\n".join(data for tag, data in self.texts if tag != "style")


@pytest.fixture(scope="module")
def data(little_tournament: Path) -> ReportData:
    with Store.open_to_change(little_tournament / "night.sqlite") as store:
        return collect(store)


@pytest.fixture(scope="module")
def source(data: ReportData) -> str:
    return page(data)


@pytest.fixture(scope="module")
def parsed(source: str) -> Page:
    return Page(source)


def page_of(path: Path, **options: bool | int) -> str:
    with Store.open_to_change(path) as store:
        return page(collect(store, **options))  # type: ignore[arg-type]


# -- the page


def test_page_is_well_formed_and_every_id_is_there_once(parsed: Page) -> None:
    ids = list(parsed.all("id"))
    assert len(ids) == len(set(ids))
    targets = [link[1:] for link in parsed.all("href") if link.startswith("#")]
    assert targets
    assert set(targets) <= set(ids)


def test_page_refers_to_nothing_outside_itself(source: str, parsed: Page) -> None:
    assert {tag for tag, _ in parsed.elements}.isdisjoint({"script", "link", "img", "iframe", "object", "base", "form"})
    assert all(link.startswith(("#", "data:application/x-ndjson;base64,")) for link in parsed.all("href"))
    assert not any("src" in attrs for _, attrs in parsed.elements)
    outside = set(re.findall(r"https?://[^\s\"'<]+", source))
    assert outside <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in source
    assert set(re.findall(r"url\(([^)]*)\)", source)) <= {"#hatch"}


def test_policy_lets_nothing_in_but_this_very_style_sheet(source: str, parsed: Page) -> None:
    style = next(data for tag, data in parsed.texts if tag == "style")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policies = [a["content"] for t, a in parsed.elements if t == "meta" and a.get("http-equiv")]
    assert policies == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"]
    assert source.index("Content-Security-Policy") < source.index("<style>")


def test_no_attribute_runs_or_styles_anything(parsed: Page) -> None:
    names = {name for _, attrs in parsed.elements for name in attrs}
    assert not {name for name in names if name.startswith("on") or name == "style"}


def test_hostile_words_are_shown_as_words(parsed: Page, little_tournament: Path) -> None:
    assert to_plain_text(HOSTILE) in parsed.text
    assert "\u202e" not in parsed.text
    assert HOSTILE_REASON in parsed.text
    with_evidence = Page(page_of(little_tournament / "night.sqlite", evidence=True))
    assert any(tag == "pre" and HOSTILE_STDERR in data for tag, data in with_evidence.texts)
    assert "Little <i>night</i>" in [data for tag, data in parsed.texts if tag == "h1"]


def test_every_drawing_has_a_title_and_a_description(parsed: Page) -> None:
    drawings = [attrs for tag, attrs in parsed.elements if tag == "svg"]
    assert len(drawings) >= 5
    ids = set(parsed.all("id"))
    for attrs in drawings:
        assert attrs["role"] == "img"
        assert set((attrs["aria-labelledby"] or "").split()) <= ids
    assert sum(tag == "desc" for tag, _ in parsed.elements) == len(drawings)


def test_wide_tables_scroll_by_keyboard_and_say_what_they_are(parsed: Page) -> None:
    regions = [attrs for tag, attrs in parsed.elements if attrs.get("role") == "region"]
    assert regions
    assert all(attrs["tabindex"] == "0" and attrs["aria-label"] for attrs in regions)
    assert sum(tag == "caption" for tag, _ in parsed.elements) == len(regions)


def test_page_is_the_same_each_time(data: ReportData, source: str) -> None:
    assert page(data) == source


# -- what it tells


def test_standings_are_those_of_the_ratings(data: ReportData, parsed: Page) -> None:
    assert data.ratings is not None
    for row in data.ratings.ratings:
        assert f"{row.rating:.0f}" in [shown for tag, shown in parsed.texts if tag == "td"]
    assert [bot.name for bot in data.bots][: len(data.ratings.ratings)] == [row.player for row in data.ratings.ratings]


def test_shares_of_a_pair_add_up_to_one(data: ReportData) -> None:
    assert data.meetings
    for (first, second), meeting in data.meetings.items():
        back = data.meetings[second, first]
        assert meeting.share + back.share == 1
        assert meeting.games == back.games


def test_crashes_are_told_and_forfeits_apart(data: ReportData, parsed: Page) -> None:
    bot = next(bot for bot in data.bots if bot.name == "crashes")
    assert {fault.fault for fault in bot.faults} == {"crashed"}
    assert len(bot.faults) == 4
    assert len(bot.forfeits) == 8
    assert "8 games forfeited" in parsed.text
    assert "benched after round 1" in parsed.text


def test_forfeits_use_no_time_and_have_no_score(data: ReportData) -> None:
    bot = next(bot for bot in data.bots if bot.name == "crashes")
    assert bot.usage.games == 4
    assert bot.scores == ()
    assert bot.usage.slowest >= (bot.usage.mean or 0)


def test_host_reads_who_was_left_out_and_which_game_was_void(parsed: Page) -> None:
    assert "nowhere" in parsed.text
    assert "Void games, played again" in parsed.text
    assert VOID in [shown for _, shown in parsed.texts]


def test_records_in_the_page_hold(data: ReportData, parsed: Page) -> None:
    links = [attrs for tag, attrs in parsed.elements if tag == "a" and "download" in attrs]
    assert len(links) == len(data.games) == 18
    for attrs in links:
        content = base64.b64decode((attrs["href"] or "").partition(",")[2])
        assert attrs["download"] == f"{verify_record(content).header.game}.jsonl"


def test_records_too_large_for_a_page_are_named_with_the_command(little_tournament: Path) -> None:
    shown = Page(page_of(little_tournament / "night.sqlite", largest=1000))
    assert "peloarena tournament export STORE --to FOLDER --records" in shown.text
    assert not any("download" in attrs for _, attrs in shown.elements)


def test_no_path_of_the_host_is_told(tmp_path: Path) -> None:
    assert "/home/host" not in page_of(made(tmp_path / "s.sqlite", TWO, "abc"))


# -- what is not for everybody


def test_page_tells_fault_reason_and_decision_but_nothing_that_a_bot_printed(source: str) -> None:
    assert re.search(r"crashed</span> in r01-\d\.\d-d001-s\d, decision \d+, eliminated: ", source)
    assert "onerror=alert(2)" not in source
    assert "last request" not in source


def test_evidence_is_a_file_for_each_bot(little_tournament: Path, tmp_path: Path) -> None:
    target = tmp_path / "public.html"
    result = CliRunner().invoke(
        cli, ["tournament", "report", str(little_tournament / "night.sqlite"), "-o", str(target)]
    )
    folder = tmp_path / "public.faults"
    assert result.stdout.splitlines() == [
        str(target),
        f"{folder}: 2 files, for the authors of bots with faults or not admitted",
    ]
    assert sorted(path.name for path in folder.iterdir()) == ["crashes.txt", "nowhere.txt"]
    told = (folder / "crashes.txt").read_text()
    assert told.startswith("crashes in Little <i>night</i>\n\ncrashed in r01-")
    assert told.count("  end of stderr:\n    </pre><img src=x onerror=alert(2)>") == 4
    assert '  last request:\n    {"type":"decide"' in told
    assert (folder / "nowhere.txt").read_text().startswith("nowhere in Little <i>night</i>\n\nNot admitted: no bot at")


def test_evidence_is_on_the_page_when_asked_and_says_so(little_tournament: Path) -> None:
    words = ["tournament", "report", str(little_tournament / "night.sqlite"), "-o", "-", "--evidence", "--no-records"]
    shown = CliRunner().invoke(cli, words).stdout
    assert "With evidence: this page shows output of bots, which is for the host and their authors only." in shown
    assert shown.count("onerror=alert(2)") == 4
    assert "last request" in shown


def test_folders_of_the_host_are_not_told(source: str, little_tournament: Path) -> None:
    """The file names a bot by its whole path, and one is not there."""
    assert str(little_tournament) not in source
    assert "&quot;…/random&quot;" in source
    assert "Not admitted: no bot at &#x27;…/nowhere&#x27;" in source


def test_build_output_is_for_the_author_alone(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc")
    with Store.open_to_change(path) as store:
        printed = '  File "/home/host/bots/d/bot.c", line 3\n    int secret_idea = 42;'
        problem = "the build of '/home/host/bots/d' failed"
        store.set_entry(Entry(4, "d", "", "/home/host/bots/d"))
        store.set_version(Version(4, 1, "v2-4", state="refused", problem=problem, details=printed))
        data = collect(store)
    shown = page(data)
    assert "Not admitted: the build of &#x27;…/d&#x27; failed" in shown
    assert "secret_idea" not in shown
    assert (
        '\n    File "/home/host/bots/d/bot.c", line 3\n      int secret_idea = 42;\n' in evidence_files(data)["d.txt"]
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no bot at '/home/host/bots/ada'", "no bot at '…/ada'"),
        ('bots = ["/home/my host/bots/*", "../near"]', 'bots = ["…/*", "../near"]'),
        ("File /home/host/x/main.py: gone", "File …/main.py: gone"),
        ("1/2-1/2 and/or 3 / 4, https://a.org/b/c, $.a/b", "1/2-1/2 and/or 3 / 4, https://a.org/b/c, $.a/b"),
    ],
)
def test_paths_keep_their_last_part(text: str, shown: str) -> None:
    assert without_folders(text) == shown


@pytest.mark.parametrize("name", ["../../x", "a/b", ".", "x" * 200, HOSTILE])
def test_file_of_a_bot_stays_in_its_folder_whatever_it_is_called(name: str) -> None:
    assert re.fullmatch(r"bot-[0-9a-f]{16}\.txt", bot_file_name(name))


# -- other tournaments


def test_tournament_that_is_not_over_keeps_its_seeds_secret(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc", most=7)
    with Store.open_to_read(path) as store:
        seeds = [row.fixture.seed for row in store.games()]
    shown = page_of(path)
    assert "This tournament is not over" in shown
    assert [seed in shown for seed in seeds] == [True] * 6 + [False]
    assert SECRET.hex() not in shown
    assert hashlib.sha256(SECRET).hexdigest() in shown
    assert shown.count("base64,") == 6


def test_tournament_without_a_game_says_so(tmp_path: Path) -> None:
    assert "No game is finished yet." in Page(page_of(made(tmp_path / "s.sqlite", TWO, "abc", most=0))).text


def test_knockout_has_a_bracket_and_a_champion(tmp_path: Path) -> None:
    with Store.open_to_change(made(tmp_path / "s.sqlite", CUP, "abc")) as store:
        data = collect(store)
    assert data.champion == "a"
    assert data.bracket is not None
    assert [[match.winner for match in matches] for matches in data.bracket.rounds] == [["a", "b"], ["a"]]
    assert data.bracket.rounds[0][0].names == ("a", None)
    shown = Page(page(data))
    assert "Semi-finals: b beats c; Final: a beats b" in shown.text
    assert "Champion" in shown.text


def test_knockout_under_way_has_no_champion(tmp_path: Path) -> None:
    with Store.open_to_change(made(tmp_path / "s.sqlite", CUP, "abc", most=2)) as store:
        data = collect(store)
    assert data.missing
    assert data.champion is None
    assert data.bracket is not None
    assert [match.winner for match in data.bracket.rounds[1]] == [None]
    Page(page(data))


def test_solo_tournament_goes_by_mean_score_and_levels(tmp_path: Path) -> None:
    shown = Page(page_of(made(tmp_path / "s.sqlite", ALONE, "ab")))
    assert "mean score" in shown.text
    assert "level 3" in shown.text
    assert "0 of 2" in shown.text
    assert "Who beat whom" not in shown.text


def test_store_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc")
    with Store.open_to_change(path) as store:
        store.set_meta("config", TWO + "table = 3\n")
        with pytest.raises(ConfigError, match="damaged"):
            collect(store)


# -- the command


def test_report_is_written_beside_the_store(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc")
    result = CliRunner().invoke(cli, ["tournament", "report", str(path)])
    assert result.exit_code == 0
    Page((tmp_path / "s.html").read_text("utf-8"))


def test_report_goes_to_stdout_when_asked(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc")
    result = CliRunner().invoke(cli, ["tournament", "report", str(path), "-o", "-", "--no-records"])
    assert result.stdout.startswith("<!DOCTYPE html>")
    assert "data:" not in result.stdout


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 500])
def test_report_of_something_else_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(content)
    result = CliRunner().invoke(cli, ["tournament", "report", str(path)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert path.read_bytes() == content


# -- its parts


def test_only_markup_made_here_is_not_escaped() -> None:
    assert element("td", "<b>", Html("<br>"), class_='"') == '<td class="&quot;">&lt;b&gt;<br></td>'
    assert text("a\u202eb\x1b") == "a‹202E›b␛"


def test_ticks_are_round_numbers_in_the_range() -> None:
    assert ticks(0, 34) == [0, 5, 10, 15, 20, 25, 30]
    assert ticks(1180, 1820, 4) == [1200, 1400, 1600, 1800]


def test_durations_read_well() -> None:
    said = [short_duration(value) for value in (0.0001, 0.0042, 0.125, 0.9999, 1.4, 42, 600, 7200)]
    assert said == ["0.1 ms", "4.2 ms", "125 ms", "1 s", "1.4 s", "42 s", "10 min", "2.0 h"]


def test_histograms_share_their_bins_and_count_every_score() -> None:
    samples = [(-3, 0, 4, 40), (7, 7)]
    spread = common_bins(samples)
    assert spread == HistogramBins(-5, 40, 5)
    for sample in samples:
        assert sum(bin_shares(sample, spread)) == 1


def test_long_names_are_cut_by_width() -> None:
    assert shorten_name("short", 10) == "short"
    assert shorten_name("a name that is long", 10) == "a name th…"
    assert shorten_name("漢字漢字漢字", 8) == "漢字漢…"
