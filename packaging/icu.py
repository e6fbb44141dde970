"""Qt's ICU on Linux brings the data of every language, 32 MB; what Qt asks it for takes a sixth of that.

QtCore orders text by ICU's collations and changes its case. Names of languages, regions, currencies, units and time
zones it has itself; how words break and what old code pages mean it asks ICU in no program of ours. All collations
stay: a list of files is in the order of the user's language, whichever that is.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from workshop import BuildError, call, megabytes, say

# Folders of ICU's data, code pages, and dates and numbers of each language, in files such as en.res and sr_Latn.res.
_UNUSED = re.compile(
    r"(brkitr|curr|lang|rbnf|region|translit|unit|zone)/.*|.*\.(cnv|spp)|unames\.icu|[a-z]{2,3}(_[A-Za-z0-9_]+)?\.res"
)


def trim(library: Path) -> None:
    """Write ``libicudata.so.N`` anew with the data that Qt asks for.

    Raises
    ------
    BuildError
        Where the library does not hold its data as ICU's own build lays it out.
    """
    symbol = re.search(
        r"([0-9a-f]{16}) +(0x[0-9a-f]+|\d+) OBJECT .* (icudt(\d+)_dat)$", _symbols(library), re.MULTILINE
    )
    if symbol is None:
        raise BuildError(f"{library} holds no data of ICU.")
    start, size, name, version = int(symbol[1], 16), int(symbol[2], 0), symbol[3], symbol[4]
    before = megabytes(library)
    with tempfile.TemporaryDirectory() as folder:
        # icupkg finds the version of the data in the name of the file.
        whole, trimmed = Path(folder, f"icudt{version}l.dat"), Path(folder, "new", f"icudt{version}l.dat")
        trimmed.parent.mkdir()
        whole.write_bytes(library.read_bytes()[start : start + size])  # the data is loaded where it is in the file
        items = call("icupkg", "--list", whole).split()
        unused = Path(folder, "unused.txt")
        unused.write_text("\n".join(item for item in items if _UNUSED.fullmatch(item)) + "\n", "ascii")
        call("icupkg", "--remove", unused, whole, trimmed)
        source = Path(folder, "data.s")
        source.write_text(
            f'.globl {name}\n.type {name}, %object\n.section .rodata\n.balign 16\n{name}:\n.incbin "{trimmed}"\n'
            f'.size {name}, . - {name}\n.section .note.GNU-stack,"",%progbits\n',
            "ascii",
        )
        made = Path(folder, library.name)
        call("gcc", "-shared", "-nostdlib", "-Wl,--build-id=none", f"-Wl,-soname,{library.name}", source, "-o", made)
        shutil.copy(made, library)
    say(f"{library.name}: {before}, of which {megabytes(library)} stay ({len(items)} files of data)")


def _symbols(library: Path) -> str:
    return call("readelf", "--symbols", "--wide", library)
