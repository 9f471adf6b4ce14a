"""Names of strangers' bots: which are taken, which are refused and why, which look like which."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from little_tournament import made

from peloarena.game import ConfigError
from peloarena.referee.builtin_bots import BUILTIN_BOT_NAMES as BUILT_IN
from peloarena.tournament.bot_names import MAX_NAME_LENGTH, check_bot_name, find_lookalike
from peloarena.tournament.config import parse_config
from peloarena.tournament.roster import MAX_FILLS, fill_in_rows
from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import make_token
from peloarena.tournament.submissions import RESERVED, check_newcomer

GOOD = (
    *(
        "a",
        "mybot",
        "My Bot 2",
        "x" * MAX_NAME_LENGTH,
        "4ever",
        "o'neil-v1.2_(final)",
        '<b>&"',
        "Ünïcödé",
        "Ólafur",
        "Straße",
    ),
    *("Nguyễn", "निशा", "বাংলা", "தமிழ்", "สมชาย", "ខ្មែរ", "မြန်မာ", "བོད་ཡིག".replace("་", ""), "محمد", "שָׁלוֹם", "Ελλάδα"),
    *(
        "Жук",
        "Հայկ",
        "ქართული",
        "አማርኛ",
        "漢字",
        "らーめん",
        "ラーメン屋",
        "佐々木bot",
        "한국어bot",
        "ㄅㄆ漢字",
        "бот Жук",
        "bot Жук",
    ),
)
BAD = {
    "": "it has 0 characters",
    "x" * 61: "it has 61 characters",
    " x": "it has spaces at its ends",
    "x ": "it has spaces at its ends",
    "a  b": "two in a row",
    "...": "neither a letter nor a digit",
    "a\x1b[2J": "U+001B",
    "a\nb": "U+000A",
    "\ud800": "U+D800",
    "slow\u034f": "U+034F COMBINING GRAPHEME JOINER",
    "slow\ufe0f": "U+FE0F VARIATION SELECTOR-16",
    "slow\u200b": "U+200B ZERO WIDTH SPACE",
    "slow\u200d": "U+200D ZERO WIDTH JOINER",
    "slow\u00ad": "U+00AD SOFT HYPHEN",
    "slow\u180e": "U+180E",
    "slow\u2060": "U+2060 WORD JOINER",
    "slow\u202e": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "slow\u2066": "U+2066 LEFT-TO-RIGHT ISOLATE",
    "slow\u061c": "U+061C ARABIC LETTER MARK",
    "slow\U000e0041": "U+E0041 TAG LATIN CAPITAL LETTER A",
    "slow\U000e0100": "U+E0100 VARIATION SELECTOR-17",
    "\u2800": "U+2800 BRAILLE PATTERN BLANK",
    "\u3164": "U+3164 HANGUL FILLER",
    "\u115f": "U+115F HANGUL CHOSEONG FILLER",
    "\u1160": "U+1160 HANGUL JUNGSEONG FILLER",
    "\uffa0": "U+FFA0 HALFWIDTH HANGUL FILLER",
    "ក\u17b4": "U+17B4 KHMER VOWEL INHERENT AQ",
    "a\u00a0b": "U+00A0 NO-BREAK SPACE",
    "a\u3000b": "U+3000 IDEOGRAPHIC SPACE",
    "r\u0430ndom": "U+0430 CYRILLIC SMALL LETTER A is in the same word as Latin letters; write each word in one script",
    "\u0440\u0430\u0441e": "U+0065 LATIN SMALL LETTER E is in the same word as Cyrillic letters",
    "gr\u03b5\u03b5dy": "U+03B5 GREEK SMALL LETTER EPSILON",
    "한글かな": "is in the same word as Hangul letters",
    "漢字\u0436": "U+0436",
    "\uff41": "U+FF41 FULLWIDTH LATIN SMALL LETTER A is not written in normal form (NFKC); write 'a'",
    "ﬁne": "U+FB01 LATIN SMALL LIGATURE FI",
    "a\u0301": "U+0301 COMBINING ACUTE ACCENT is not written in normal form (NFKC); write 'á'",
    "x\u0302": "U+0302 COMBINING CIRCUMFLEX ACCENT does not fit the character before it",
    "\u0301x": "U+0301",
    "e\u20dd": "U+20DD COMBINING ENCLOSING CIRCLE",
    "a\u093f": "U+093F DEVANAGARI VOWEL SIGN I does not fit the character before it",
    "स\u093f\u0902\u0901\u0903": "U+0903 DEVANAGARI SIGN VISARGA is the fourth mark",
    "🤖": "U+1F916 ROBOT FACE",
    "𐌰": "U+10330 GOTHIC LETTER AHSA",
    "\ue000": "U+E000 (without a name)",
}
ALIKE = (
    *(
        ("random", "RANDOM"),
        ("random", "Random"),
        ("slow", "sIow"),
        ("slow", "s1ow"),
        ("slow", "s|ow"),
        ("modern", "rnodern"),
    ),
    *(
        ("расе", "pace"),
        ("ΡΟΡ", "pop"),
        ("bo0", "boo"),
        ("ɑ", "a"),
        ("օ", "o"),
        ("ıi", "ii"),
        ("ǎ", "ă"),
        ("RANDIM", "randim"),
    ),
)
APART = (("slow", "sloẃ"), ("slow", "slo"), ("a b", "ab"), ("öl", "ol"), ("bot-1", "bot-2"), ("निशा", "निशी"))


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_people_can_read_and_type_is_taken(name: str) -> None:
    check_bot_name(name)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_a_name_that_hides_or_pretends_something_is_refused_and_the_character_named(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_bot_name(name)
    assert BAD[name] in str(refused.value)


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_are_not_taken_beside_each_other(name: str, other: str) -> None:
    assert find_lookalike(name, ["z", other]) == other
    assert find_lookalike(other, [name]) == name


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_people_can_tell_apart_are(name: str, other: str) -> None:
    assert find_lookalike(name, [other]) is None


@given(st.text(max_size=8))
def test_any_text_is_a_name_or_refused_and_a_name_shows_every_character(text: str) -> None:
    try:
        check_bot_name(text)
    except ConfigError:
        return
    assert text.isprintable()
    assert unicodedata.is_normalized("NFKC", text)
    assert find_lookalike(text, [text.upper(), text]) is not None
    assert not {unicodedata.category(char) for char in text} & {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Me"}


@given(
    st.text("abelnorsw01IlOm", min_size=1, max_size=6),
    st.integers(0, 5),
    st.sampled_from("\u034f\ufe0f\u200d\u3164\U000e0061\u2800"),
)
def test_an_invisible_character_anywhere_in_a_name_is_refused(name: str, place: int, char: str) -> None:
    with pytest.raises(ConfigError):
        check_bot_name(name[:place] + char + name[place:])


@pytest.mark.parametrize("name", [*BUILT_IN, "Random", "GREEDY", "pIanner"])
def test_no_stranger_bears_the_name_of_a_built_in_bot(name: str) -> None:
    with pytest.raises(ConfigError, match="is a built-in bot"):
        check_newcomer(name, ())


@pytest.mark.parametrize("name", ["house-random", "house-greedy", "House-Planner", "house-pIanner", "house-greedy-2"])
def test_no_stranger_bears_a_name_that_built_in_bots_have_in_a_ladder(name: str) -> None:
    """Whether or not this tournament has that bot."""
    with pytest.raises(ConfigError, match="is a built-in bot"):
        check_newcomer(name, ("house-random-bot",))


def test_every_built_in_bot_that_a_ladder_can_have_is_reserved() -> None:
    rows = fill_in_rows(MAX_FILLS, set())
    assert {row.name for row in rows} <= set(RESERVED)
    with pytest.raises(ConfigError, match="`table`"):
        parse_config(f'bots = ["a"]\nformat = "ladder"\ntable = {MAX_FILLS + 2}\n', "test")


def test_a_name_that_only_begins_like_one_of_theirs_is_free() -> None:
    for name in ("house-of-cards", "greedy-2", "random house"):
        check_newcomer(name, ())


TOURNAMENT = 'name = "Names"\nbots = ["a", "odd\\u0301"]\nsandbox = "off"\n'


def test_a_host_gives_tokens_for_what_the_file_names_and_for_readable_names(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "odd\u0301"], most=0)
    with Store.open_to_change(path) as store:
        assert make_token(store, "odd\u0301")
        assert make_token(store, "mybot")
        for name in ("m\u0443bot", "MyBot", "rnybot", "random", "x\u034f"):
            with pytest.raises(ConfigError):
                make_token(store, name)
