"""Rules for the names of strangers' bots: people can read and type them, and cannot confuse two. Pure.

For bots that enter through the page or get a token there. Names that hosts write, or that a store already has, are
accepted as they are. The rules are those of Unicode's UTS #39 (restriction level "highly restrictive" for each word,
confusable skeletons), narrowed to letters, digits and the symbols of an ASCII keyboard.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path

from ..game import ConfigError

MAX_NAME_LENGTH = 60
MAX_MARKS_PER_LETTER = 3
"""On one letter: a Devanagari letter may have nukta, vowel sign and candrabindu. More would only stack up."""
SCRIPTS = frozenset(
    (
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK"),
        *("GUJARATI", "GURMUKHI", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN", "MALAYALAM"),
        *("MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    )
)
"""Scripts in common use today (UAX #31, table 5), except Han and Hangul. The Unicode name of each of their letters,
marks and digits begins with that of the script: compared with Scripts.txt for all of Unicode 14, and names never
change."""
OTHER_SCRIPT_PREFIXES = {
    "CJK UNIFIED IDEOGRAPH": "HAN",
    "IDEOGRAPHIC ITERATION MARK": "HAN",
    "HANGUL SYLLABLE": "HANGUL",
    "ARABIC-INDIC DIGIT": "ARABIC",
    "EXTENDED ARABIC-INDIC DIGIT": "ARABIC",
    "KATAKANA-HIRAGANA PROLONGED SOUND MARK": "KATAKANA",
}
"""The prefixes of the other scripts' Unicode names."""
INVISIBLE_CHARACTERS = frozenset("\u17b4\u17b5")
"""The only code points of these scripts that Unicode calls default-ignorable."""
MIXABLE_SCRIPTS = tuple(
    frozenset(scripts.split()) for scripts in ("LATIN HAN HIRAGANA KATAKANA", "LATIN HAN HANGUL", "LATIN HAN BOPOMOFO")
)
"""Scripts that one word may mix: Japanese, Korean and Chinese do."""
CONFUSABLES_FILE = Path(__file__).with_name("confusables.txt")
"""Made by tools/make_confusables.py."""


def check_bot_name(name: str) -> None:
    """ConfigError unless people can read, type and recognise the name."""
    problem = _name_problem(name)
    if problem:
        raise ConfigError(f"the name {name[:MAX_NAME_LENGTH]!r}: {problem}")


def _name_problem(name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        return f"it has {len(name)} characters; use 1 to {MAX_NAME_LENGTH}"
    if name != name.strip() or "  " in name:
        return "it has spaces at its ends, or two in a row; use single spaces between words"
    odd = next((char for char in name if not _is_allowed_character(char)), None)
    if odd is not None:
        return f"{describe_character(odd)} is not allowed in a name; use letters, digits and ASCII symbols"
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        return "it has neither a letter nor a digit; use at least one"
    normal = unicodedata.normalize("NFKC", name)
    if normal != name:
        char = next(c for n, c in enumerate(name, 1) if not unicodedata.is_normalized("NFKC", name[:n]))
        return f"{describe_character(char)} is not written in normal form (NFKC); write {normal!r}"
    return _marks_problem(name) or next(filter(None, map(_word_problem, name.split(" "))), "")


def _is_allowed_character(char: str) -> bool:
    """A printable ASCII character, or a letter, mark or digit of a script in use. A mark for all scripts (such as
    U+0301) passes here: the normal form, or the letter before it, decides."""
    if char.isascii():
        return char.isprintable()
    kind = unicodedata.category(char)
    return (
        (kind[0] in "LM" or kind == "Nd")
        and kind != "Me"
        and char not in INVISIBLE_CHARACTERS
        and bool(_script_of(char))
    )


def _script_of(char: str) -> str:
    """The script of a character, from its Unicode name; "COMBINING" for a mark of all scripts; empty if not in use."""
    normal = unicodedata.normalize("NFKC", char)  # full-width letters must be written as ordinary ones
    name = unicodedata.name(normal[0], "")
    word = name.partition(" ")[0]
    if word in SCRIPTS or word == "COMBINING":
        return word
    if normal[0].isascii() and normal[0].isalnum():
        return "LATIN"
    return next((script for start, script in OTHER_SCRIPT_PREFIXES.items() if name.startswith(start)), "")


def _marks_problem(name: str) -> str:
    """In normal form, a mark is separate if its letter has no combined form: it must then belong to the letter's
    script."""
    base, marks = "", 0
    for char in name:
        if unicodedata.category(char)[0] != "M":
            base, marks = char, 0
            continue
        marks += 1
        if not base.isalpha() or _script_of(char) != _script_of(base):
            return f"{describe_character(char)} does not fit the character before it; leave it out"
        if marks > MAX_MARKS_PER_LETTER:
            return f"{describe_character(char)} is the fourth mark on one letter; leave it out"
    return ""


def _word_problem(word: str) -> str:
    letters = [char for char in word if not char.isascii() or char.isalpha()]
    letter_by_script = {script: next(group) for script, group in groupby(sorted(letters, key=_script_of), _script_of)}
    if len(letter_by_script) < 2 or any(letter_by_script.keys() <= scripts for scripts in MIXABLE_SCRIPTS):
        return ""
    first = _script_of(letters[0])
    odd = next(char for char in letters if _script_of(char) != first)
    return f"{describe_character(odd)} is in the same word as {first.title()} letters; write each word in one script"


def describe_character(char: str) -> str:
    """`U+0430 CYRILLIC SMALL LETTER A`: names a character that looks like another one."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '(without a name)')}"


# ---- look-alikes


def find_lookalike(name: str, names: Iterable[str]) -> str | None:
    """The first of the names that equals this one or could be confused with it."""
    looks = _lookalike_keys(name)
    return next((known for known in names if looks & _lookalike_keys(known)), None)


def _lookalike_keys(name: str) -> frozenset[str]:
    """What a name looks like. Capitals count as small letters, and `I` may also be an `l`: hence two."""
    normal = unicodedata.normalize("NFKC", name).strip()
    return frozenset((_skeleton(normal.casefold()), _skeleton(normal).casefold()))


def _skeleton(text: str) -> str:
    """The skeleton of UTS #39: equal for texts that look alike."""
    table = _confusables()
    parts = (table.get(char, char) for char in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(parts))


@cache
def _confusables() -> dict[str, str]:
    lines = (line.split() for line in CONFUSABLES_FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {_character_from_hex(line[0]): "".join(map(_character_from_hex, line[1:])) for line in lines}


def _character_from_hex(code: str) -> str:
    return chr(int(code, 16))
