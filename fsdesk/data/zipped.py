"""Zip files: the one table inside is read; spreadsheets are zip files too, and stay as they are."""

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from fsdesk.errors import DataError

__all__ = ["ZIP", "unzip"]

ZIP = b"PK\x03\x04"
_SPREADSHEETS = {"[Content_Types].xml", "mimetype"}
_SEALED = {"manifest.json", "log.jsonl"}
_CLUTTER = "__MACOSX/"  # what a Mac adds to what it packs


def unzip(content: bytes, name: str, most: int) -> tuple[bytes, str]:
    """The one file inside a zip file, and its name; a spreadsheet as it is.

    Parameters
    ----------
    content, name
        Bytes and name of the zip file.
    most
        The largest number of bytes to unpack.

    Raises
    ------
    DataError
        Where the file is damaged, protected or too large inside, holds several files, or is a sealed bundle.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            files = [each for each in packed.infolist() if not each.is_dir()]
            inside = [each for each in files if not each.filename.startswith(_CLUTTER)]
            names = {each.filename for each in inside}
            if names & _SPREADSHEETS:
                return content, name
            _refuse(names, name)
            if inside[0].file_size > most:
                raise DataError(
                    f'"{name}" unpacks to more than {most:,} bytes, too large for this program; open a smaller table.'
                )
            return packed.read(inside[0]), PurePosixPath(inside[0].filename).name
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        if name.lower().endswith(".zip"):
            raise DataError(f'"{name}" is a zip archive that is damaged or cut short; get the file again.') from None
        return content, name  # what reads spreadsheets says what is wrong
    except (RuntimeError, NotImplementedError):
        raise DataError(
            f'"{name}" is protected by a password or packed in an unusual way; unpack it and open the table inside.'
        ) from None


def _refuse(names: set[str], name: str) -> None:
    if names >= _SEALED:
        raise DataError(
            f'"{name}" is a sealed bundle of results and no table: "fsdesk verify" checks it, and report.html in it '
            "can be read in a browser."
        )
    if len(names) != 1:
        raise DataError(f'"{name}" holds {len(names)} files; unpack it and open the table inside.')
