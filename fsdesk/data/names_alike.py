"""Names that look the same but use different characters: combining characters, dashes, invisible spaces."""

import unicodedata
from collections.abc import Sequence

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"))
_ALIKE = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u201a\u201b\u02bc\u201c\u201d\u201e\u00b5\u00df",
    "------'''''\"\"\"\u03bc\u03b2",
) | {0xFF01 + place: chr(0x21 + place) for place in range(94)}
_ROMAN = str.maketrans({0x2160 + place: name for place, name in enumerate(("I", "II", "III", "IV", "V", "VI", "VII"))})
_ALIKE_LETTERS = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXaeopcyxijsABEZHIKMNOPTYXo"
)  # Cyrillic and Greek letters that look like Latin ones


def look(word: str) -> str:
    """A word reduced to its appearance: composed letters, one kind of dash and quotation mark, nothing invisible.

    Letters as wide as Chinese ones are Latin, Roman numerals are letters, and ß is β, as which it is often typed.
    """
    plain = unicodedata.normalize("NFC", word).translate(_INVISIBLE).translate(_ALIKE).translate(_ROMAN)
    return " ".join(plain.split())


def first_spellings(words: Sequence[str]) -> dict[str, str]:
    """The first spelling, for each word that looks like another one."""
    if all(word.isascii() and "  " not in word and "\t" not in word for word in words):
        return {}
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    for word in words:
        key = look(word)
        if not key.isascii():
            key = _latin(key, words)
        earlier = first.setdefault(key, word)
        if earlier != word:
            same[word] = earlier
    if not same:
        return {}
    plainest = {kept: min((word for word in (kept, *(w for w, e in same.items() if e == kept))), key=_plainness)
                for kept in set(same.values())}  # fmt: skip
    return {
        **{word: plainest[kept] for word, kept in same.items()},
        **{kept: now for kept, now in plainest.items() if kept != now},
    }


def _latin(word: str, words: Sequence[str]) -> str:
    """The Latin spelling of a word with mixed alphabets, if the Latin word exists."""
    plain = word.translate(_ALIKE_LETTERS)
    return plain if plain.isascii() and plain in words else word


def _plainness(word: str) -> tuple[bool, bool, int]:
    """Sort key that puts the spelling with the fewest unusual characters first."""
    return look(word) != word, not word.isascii(), len(word)


_CONFUSED = str.maketrans("I|1O", "lll0")


def confusable(word: str) -> str:
    """A word with one character for those that look the same in many fonts: l, I, | and 1; O and 0."""
    return look(word).translate(_CONFUSED)


def visible(word: str) -> str:
    """A word with escapes for characters that are invisible or look like other letters."""
    return "".join(
        character if character.isascii() or unicodedata.category(character)[0] == "L" else f"\\u{ord(character):04x}"
        for character in word
    )  # fmt: skip
