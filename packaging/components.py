"""What is inside a frozen program: its packages, their licence files, and a bill of materials in CycloneDX.

All of it is collected from the environment that was frozen and from the system's own records; nothing is typed here.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from workshop import FREEZE, NAME, PROJECT, SCRATCH, BuildError, call, environment, fresh, programs, python_of

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$|(^|/)licenses/", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One component: a Python distribution, Python itself, or a library of the build machine's system."""

    name: str
    version: str
    licence: str
    files: tuple[Path, ...]
    purl: str


def canonical(name: str) -> str:
    """Return a distribution's name as indexes spell it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distributions_in(venv: Path) -> dict[str, Distribution]:
    """All that is frozen of what is installed in ``venv``, by canonical name: fsdesk, app, formats, what these require.

    PyInstaller, whose start-up code is inside, is one of them, and what it requires to work is not.
    """
    folders = [str(each) for each in (*venv.glob("lib/python*/site-packages"), *venv.glob("Lib/site-packages"))]
    installed = {canonical(each.metadata["Name"]): each for each in distributions(path=folders)}
    found: dict[str, Distribution] = {}
    asked = [*PROJECT["optional-dependencies"]["app"], *FREEZE]
    waiting = [NAME, *(canonical(match.group()) for match in map(_NAME.match, asked) if match)]
    while waiting:
        name = waiting.pop()
        if name in found or name not in installed:  # of another system, or of an extra
            continue
        found[name] = installed[name]
        for needed in (installed[name].requires or []) if name != "pyinstaller" else ():
            wanted = _NAME.match(needed)
            if wanted and not re.search(r"extra *==", needed):
                waiting.append(canonical(wanted.group()))
    return dict(sorted(found.items()))


def python_parts(venv: Path) -> list[Part]:
    """Return the Python packages of ``venv`` that the program needs, and Python."""
    parts = []
    for name, each in distributions_in(venv).items():
        files = [Path(str(each.locate_file(path))) for path in each.files or () if _LICENCE_FILE.search(str(path))]
        files = [path for path in files if path.suffix not in (".py", ".pyc", ".pyi") and path.is_file()]
        meta = each.metadata
        said = next((one for name in ("License-Expression", "License") for one in meta.get_all(name) or ()), "")
        if not said or "\n" in said:
            classifiers = [one for one in meta.get_all("Classifier") or () if one.startswith("License ::")]
            said = ", ".join(one.rpartition(":: ")[2] for one in classifiers) or said.partition("\n")[0]
        parts.append(Part(meta["Name"], each.version, said, tuple(files), f"pkg:pypi/{name}@{each.version}"))
    version, base = call(
        python_of(venv), "-c", "import platform, sys; print(platform.python_version()); print(sys.base_prefix)"
    ).split("\n")[:2]
    own = [
        *Path(base).glob("lib/python3*/LICENSE.txt"),
        *Path(base).glob("LICENSE.txt"),
        *([Path("/usr/share/doc/python3.11/copyright")] if base == "/usr" else []),
    ]
    own = [each for each in own if each.is_file()]
    return [*parts, Part("CPython", version, "PSF-2.0", tuple(own[:1]), f"pkg:generic/python@{version}")]


def system_parts(binaries: Iterable[tuple[str, str]], venv: Path) -> list[Part]:
    """Return the Debian packages that shared libraries in the frozen folder were taken from."""
    inside = (str(venv), str(Path(sysconfig.get_config_var("prefix") or "/usr") / "lib" / "python"))
    parts: dict[str, Part] = {}
    for _, source in binaries:
        real = Path(source).resolve()
        if str(real).startswith(inside) or not shutil.which("dpkg-query"):
            continue
        owner = call("dpkg-query", "-S", real, fails=True)
        if "no path found" in owner:  # merged /usr: files are recorded under /lib
            owner = call("dpkg-query", "-S", str(real).removeprefix("/usr"), fails=True)
        if "no path found" in owner:
            continue
        package = owner.partition(":")[0]
        if package.startswith(("libpython3", "python3")):
            continue  # that is CPython
        version = call("dpkg-query", "-W", "-f", "${Version}", package).strip()
        file = Path("/usr/share/doc") / package / "copyright"
        words = sorted(set(re.findall(r"^License: *(\S.*)$", file.read_text("utf-8", "replace"), re.MULTILINE)))
        said = " and ".join(words[:6]) or "see its file"
        parts[package] = Part(package, version, said, (file,), f"pkg:deb/debian/{package}@{version}")
    return list(parts.values())


def write_licences(parts: Iterable[Part], folder: Path) -> None:
    """Copy every licence file into ``folder``, one folder each, with a list of all parts on top.

    Raises
    ------
    BuildError
        Where a part names no licence at all.
    """
    fresh(folder)
    lines = ["Everything inside this program, with its licence; the texts are in the folders beside this list.", ""]
    for part in sorted(parts, key=lambda each: each.name.lower()):
        if not part.licence and not part.files:
            raise BuildError(f"{part.name} {part.version} says nothing of its licence.")
        lines.append(f"{part.name} {part.version}: {part.licence or 'see its files'}")
        for number, file in enumerate(part.files):
            goal = folder / part.name / (file.name if number == 0 else f"{number}-{file.name}")
            goal.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, goal)
    (folder / "PARTS.txt").write_text("\n".join(lines) + "\n", "utf-8")


def write_bill(parts: list[Part], venv: Path, path: Path) -> int:
    """Write the bill of materials as CycloneDX JSON, validated; return how many components it has."""
    tools = environment("tools", "tools")
    raw = SCRATCH / "environment.cdx.json"
    call(
        programs(tools) / "cyclonedx-py", "environment", python_of(venv), "--of", "JSON", "--output-reproducible",
        "--validate", "-o", raw,
    )  # fmt: skip
    bill: dict[str, Any] = json.loads(raw.read_text("utf-8"))
    wanted = {canonical(part.name) for part in parts}
    known = {canonical(each["name"]): each for each in bill["components"]}
    bill["components"] = [each for name, each in known.items() if name in wanted and name != NAME]
    own = known[NAME]
    bill["metadata"]["component"] = {**own, "type": "application"}
    for part in parts:
        if canonical(part.name) not in known:
            licence = {"licenses": [{"license": {"name": part.licence}}]} if part.licence else {}
            bill["components"].append(
                {
                    "type": "library",
                    "bom-ref": part.purl,
                    "name": part.name,
                    "version": part.version,
                    "purl": part.purl,
                    **licence,
                }
            )
    kept = {each["bom-ref"] for each in bill["components"]} | {own["bom-ref"]}
    bill["dependencies"] = [
        {**each, **({"dependsOn": [one for one in each["dependsOn"] if one in kept]} if "dependsOn" in each else {})}
        for each in bill["dependencies"]
        if each["ref"] in kept
    ]
    path.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", "utf-8")
    check = (
        "import sys; from cyclonedx.validation.json import JsonStrictValidator as V; "
        "from cyclonedx.schema import SchemaVersion as S; "
        "e = V(S.from_version(sys.argv[2])).validate_str(open(sys.argv[1]).read()); sys.exit(str(e) if e else 0)"
    )
    call(python_of(tools), "-c", check, path, bill["specVersion"])
    return len(bill["components"])


if __name__ == "__main__":
    sys.exit("This is a part of packaging/build.py.")
