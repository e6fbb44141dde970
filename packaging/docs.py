"""Build the documentation site: `python3 packaging/setup.py docs` has this run in its environment.

Its sources are those of the window's help, resources/docs, the declared settings and the docstrings of the public API.
They are gathered in .build/docs/source, in one tree, and Sphinx writes .build/docs/html. A warning fails the build, and
so does a link within the site that leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from fsdesk.engine import SHARED
from fsdesk.methods import METHODS
from fsdesk.pages import group_page, page
from fsdesk.results.exports import EXPORTS
from fsdesk.wrappers import WRAPPERS

ROOT = Path(__file__).resolve().parent.parent
RESOURCES, BUILD = ROOT / "resources", ROOT / ".build" / "docs"
SOURCE, SITE = BUILD / "source", BUILD / "html"
CONFIGURATION = """
project = "fsdesk"
html_title = "fsdesk"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
"""


def gather() -> None:
    """Write the whole source of the site, anew."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(RESOURCES / "docs", SOURCE)
    (SOURCE / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    shutil.copy(RESOURCES / "screenshot.png", BUILD / "screenshot.png")
    shutil.copytree(RESOURCES / "help" / "window", SOURCE / "window")
    shutil.copytree(RESOURCES / "help" / "de" / "window", SOURCE / "de" / "window")
    for name in ("changelog.md", "help/developing.md"):
        shutil.copy(RESOURCES / name, SOURCE / Path(name).name)
    for folder, title in (("", "How it works"), ("de", "So funktioniert es")):
        body = (RESOURCES / "help" / folder / "how-it-works.html").read_text(encoding="utf-8")
        inside = re.sub(r"</?(html|body)>|<h2>.*?</h2>", "", body)
        write(f"{folder or '.'}/how-it-works.md", f"# {title}\n\n```{{raw}} html\n{inside.strip()}\n```\n")
    for kind, title, entries in (("methods", "Methods", METHODS), ("wrappers", "Models", WRAPPERS)):
        for entry in entries:
            write(f"{kind}/{entry.name}.md", page(kind, entry))
        names = "\n".join(entry.name for entry in entries)
        write(f"{kind}/index.md", f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n")
    files = "\n".join(f"| `{each.name}` | {each.title} | {each.help} |" for each in EXPORTS.values())
    head = "# Files of an export\n\nAs `fsdesk export RUN --what NAME` writes them; numbers are fractions.\n"
    write("files.md", f"{head}\n| file | what | |\n| --- | --- | --- |\n{files}\n")
    groups = [group_page(f"`{name}`", group.describe()).replace("# ", "## ", 1) for name, group in SHARED.items()]
    write("settings.md", "# Settings of every run\n\n" + "\n".join(groups))


def write(name: str, text: str) -> None:
    """Write a page of the source."""
    target = SOURCE / name
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, encoding="utf-8")


def main() -> int:
    """Build the site; returns Sphinx's exit code."""
    from sphinx.cmd.build import build_main

    gather()
    code: int = build_main(["-W", "--keep-going", "-q", "-b", "html", str(SOURCE), str(SITE)])
    if not code:
        print(f"The site is in {SITE / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
