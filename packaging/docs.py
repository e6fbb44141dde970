"""Build the documentation site: `python3 packaging/setup.py docs` has this run in its environment.

Its sources are those of the window's help, resources/docs, the declared settings and the docstrings of the public API.
They are gathered in .build/docs/source, in one tree, and Sphinx writes .build/docs/html. A warning fails the build, and
so does a link within the site that leads nowhere, or a word that codespell knows as misspelt. With `--links` links to
other sites are tried, too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from fsdesk.engine import SHARED
from fsdesk.messages import in_language, language_named, tr
from fsdesk.methods import METHODS
from fsdesk.pages import example, group_page, page
from fsdesk.results.exports import EXPORTS
from fsdesk.results.result_file import field_table, schema_text
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
html_extra_path = ["extra"]
exclude_patterns = ["extra"]
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
    for language, folder in (("en", ""), ("de", "de/")):
        with in_language(language_named(language)):
            write_entries(folder)
    files = "\n".join(f"| `{each.name}` | {each.title} | {each.help} |" for each in EXPORTS.values())
    head = "# Files of an export\n\nAs `fsdesk export RUN --what NAME` writes them; numbers are fractions.\n"
    (SOURCE / "extra").mkdir()
    (SOURCE / "extra" / "result.schema.json").write_text(schema_text(), encoding="utf-8")
    numbers = (
        "## result.json\n\nIts fields, as its JSON schema declares them, which programs find at "
        "`result.schema.json` on this site. A later version may add fields.\n\n"
        "```sh\nfsdesk run sample:wine --method univariate --wrapper nn --out study\n"
        'python3 -c \'import json; print(json.load(open("study/result.json"))["honest_error"])\'\n```\n\n'
    )
    write("files.md", f"{head}\n| file | what | |\n| --- | --- | --- |\n{files}\n\n{numbers}{field_table()}")
    groups = [group_page(f"`{name}`", group.describe()).replace("# ", "## ", 1) for name, group in SHARED.items()]
    write("settings.md", "# Settings of every run\n\n" + "\n".join(groups))


def write_entries(folder: str) -> None:
    """Write a page for each method and model, in the current language, with an example of each."""
    for kind, title, entries in (("methods", tr("Methods"), METHODS), ("wrappers", tr("Models"), WRAPPERS)):
        for entry in entries:
            write(
                f"{folder}{kind}/{entry.name}.md",
                f"{page(kind, entry)}\n## {tr('Example')}\n\n{example(kind, entry)}\n",
            )
        names = "\n".join(entry.name for entry in entries)
        write(f"{folder}{kind}/index.md", f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n")


def misspelt() -> bool:
    """Whether a page in English has a word that is misspelt; says which."""
    pages = [str(path) for path in SOURCE.rglob("*.md") if path.relative_to(SOURCE).parts[0] != "de"]
    command = [sys.executable, "-m", "codespell_lib", "--ignore-words-list", ",".join(NO_MISTAKES), *pages]
    return subprocess.run(command, check=False).returncode != 0


NO_MISTAKES = ("hart", "sav")
"""Words that codespell takes for misspelt ones: a name, and a format of SPSS."""


def write(name: str, text: str) -> None:
    """Write a page of the source."""
    target = SOURCE / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def main() -> int:
    """Build the site; returns Sphinx's exit code."""
    from sphinx.cmd.build import build_main

    gather()
    if misspelt():
        return 1
    strict = ["-W", "--keep-going", "-q"]
    code: int = build_main([*strict, "-b", "html", str(SOURCE), str(SITE)])
    if not code and "--links" in sys.argv:
        code = build_main([*strict, "-b", "linkcheck", str(SOURCE), str(BUILD / "links")])
    if not code:
        print(f"The site is in {SITE / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
