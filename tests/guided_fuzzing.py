"""Inputs for readers of text that grow by the lines of code they reach: `python -m tests.guided_fuzzing .arff 600`.

That is a suffix of `tests.fuzzing` and seconds. Needs atheris (Linux, `pip install atheris`). libFuzzer counts and ends
at the first input that is at fault, which it keeps in the present folder.
"""

import gc
import sys
import tempfile
from pathlib import Path
from types import FunctionType

import atheris

from fsdesk.data import read
from fsdesk.errors import UserError
from tests.fuzzing import BYTES, SECONDS, WORDS, seeds


def main(suffix: str, seconds: int) -> None:
    """Fuzz for so long."""
    with tempfile.TemporaryDirectory(prefix="fsdesk-fuzz-") as name:
        folder, path = Path(name), Path(name) / f"input{suffix}"
        for place, content in enumerate(seeds()[suffix]):
            (folder / "corpus").mkdir(exist_ok=True)
            (folder / "corpus" / str(place)).write_bytes(content)
        quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in WORDS)
        (folder / "words").write_text("".join(f'"{word}"\n' for word in quoted))

        def one(content: bytes) -> None:
            path.write_bytes(content)
            try:
                read(path)
            except UserError as error:
                assert str(error).endswith("."), error

        limits = [f"-max_total_time={seconds}", f"-timeout={SECONDS}", f"-rss_limit_mb={BYTES >> 20}"]
        words = [f"-dict={folder / 'words'}", "-max_len=4096", "-print_final_stats=1"]
        for each in gc.get_objects():  # instrument_imports() does not see what an editable install imports
            if isinstance(each, FunctionType) and str(each.__module__).startswith("fsdesk.data"):
                atheris.instrument_func(each)
        atheris.Setup([sys.argv[0], *limits, *words, str(folder / "corpus")], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
