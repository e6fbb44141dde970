"""References of methods and models as BibTeX."""

import re
from collections.abc import Iterable, Sequence

__all__ = ["bibtex"]

_NAME = r"(?:[A-Z][\w.'-]*\.-?\s?)+(?:de |van |Van |von )?[A-Z][\w'-]+(?: et al\.)?"
_REFERENCE = re.compile(
    rf"(?P<authors>{_NAME}(?:, {_NAME})*(?: and {_NAME})?), (?P<title>[^;]+?), "
    r"(?P<venue>(?!Man\b|and\b|or\b)[A-Z][^,;()]*(?:, Man,? and Cybernetics(?: \d+)?)?(?:: [A-Z][^,;()]*)?) "
    r"\((?P<year>\d{4})\)"
)
_VOLUME = re.compile(r"(.+?) ((?:[A-Z]-?)?\d+)")


def bibtex(references: Iterable[str]) -> str:
    """Entries of the works that references of the registries name, each once; "" where there is none.

    A reference reads "A. Author and B. Author, Title, Journal 12 (1999)"; several are separated by semicolons, with
    words before or after them.
    """
    made: dict[str, str] = {}
    for reference in references:
        for found in _REFERENCE.finditer(reference):
            authors = re.split(r", | and ", found["authors"])
            key = _key(authors, found["year"], found["title"])
            made.setdefault(key, _entry(key, authors, found))
    return "\n\n".join(made.values())


def _key(authors: Sequence[str], year: str, title: str) -> str:
    surname = re.sub(r"[^a-z]", "", authors[0].replace(" et al.", "").split()[-1].lower())
    word = re.sub(r"[^a-z]", "", next((each for each in title.split() if len(each) > 3), "").lower())
    return f"{surname}{year}{word}"


def _entry(key: str, authors: Sequence[str], found: re.Match[str]) -> str:
    names = " and ".join(authors).replace(" et al.", " and others")
    venue, volume = found["venue"], ""
    if (split := _VOLUME.fullmatch(venue)) is not None:
        venue, volume = split[1], split[2]
    kind, where = ("article", "journal") if volume else ("inproceedings", "booktitle")
    if re.search("Kaufmann|Wadsworth", venue):
        kind, where = "book", "publisher"
    fields = {"author": names, "title": f"{{{found['title']}}}", where: venue, "volume": volume,
              "year": found["year"]}  # fmt: skip
    lines = [f"  {name} = {{{_escaped(value)}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _escaped(text: str) -> str:
    return text.replace("&", r"\&")
