"""Names that spreadsheets, browsers, LaTeX or Markdown would carry out stand in all files as the words they are."""

import csv
import io
import re
import shutil
import subprocess
import threading
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from fsdesk.results.exports import EXPORTS
from fsdesk.results.sheets import TABLES, is_number
from tests.invoking import fsdesk
from tests.sketching import reports_sketched

PAGE = "http://127.0.0.1:{port}"
NAMES = (
    "=cmd|'/C calc'!A0", "+1+1", "@SUM(A1)", "-2+3", "\ttab", "line\n=1+1", "\r=2+2", "\"a\" 'b'", "＝1", "a;b,c",
    "</table><script>document.title='ran'</script>", "<img src=http://127.0.0.1/i onerror=alert(2)>", "a|b `c` ![d](e)",
    "\\input{/etc/passwd}", "$x^2$ & % # _ { ~", "{{ 7*7 }}", '#read("/etc/passwd")', "javascript:alert(3)",
)  # fmt: skip
TARGET, CLASSES = "=target</title><script>alert(9)</script>", ("</td><script>alert(4)</script>", "=HYPERLINK(1)")
TABLE = "=1+1 <script>alert(5)<|&.csv"
READ = {".csv", ".xlsx", ".html", ".svg", ".pdf", ".txt"}  # the forms that are looked at here
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")


def table(path: Path, rows: int, seed: int) -> Path:
    """Every feature tells the classes apart a little; ids and classes are as hostile as names."""
    rng = np.random.default_rng(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *NAMES, "kind <b>", TARGET])
        for row in range(rows):
            values = rng.normal(size=len(NAMES)) + 1.5 * (row % 2)
            kind = NAMES[10 + rng.integers(0, 3)]
            writer.writerow([f"{NAMES[row % len(NAMES)]} {row}", *values, kind, CLASSES[row % 2]])
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all that is written about a run, a study, a comparison and predictions."""
    folder = tmp_path_factory.mktemp("hostile")
    own, other = table(folder / TABLE, 60, 0), table(folder / "new.csv", 20, 1)
    quick = ("--set", "max_iterations=15", "--set", "repeats=1", "--outer", "2")
    with reports_sketched():
        fsdesk("run", own, "--target", TARGET, "--method", "bspsa", *quick, "--out", folder / "run")
    project = folder / "run" / "run.fsdesk"
    nothing_to_draw = ("sizes.", "roc.", "coefficients.", "survival.")
    wanted = [name for name, each in EXPORTS.items() if each.suffix in READ and not name.startswith(nothing_to_draw)]
    fsdesk("export", project, *(word for name in wanted for word in ("--what", name)), "--out", folder / "all")
    fsdesk("predict", project, other, "--out", folder / "predicted.csv")
    for suffix in TABLES:
        fsdesk("compare", project, "--out", folder / f"compared.{suffix}")
    plan = folder / "plan.toml"
    listed = f"{{ file = '''{TABLE}''', target = '''{TARGET}''' }}"
    asked = f'tables = [{listed}]\nmethods = ["full", "random"]\nouter = 2\n[settings.random]\nmax_measurements = 5\n'
    plan.write_text(asked, encoding="utf-8")
    fsdesk("study", plan, "--out", folder / "study")
    own.unlink()
    other.unlink()
    return folder


def found(folder: Path, suffix: str) -> list[Path]:
    paths = sorted(folder.rglob(f"*.{suffix}"))
    assert paths
    return paths


def test_no_cell_of_a_table_is_a_formula(files: Path) -> None:
    seen = ""
    for path in found(files, "csv"):
        text = path.read_text("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows if row}) == 1 or path.parent.name == "study", path
        cells = [cell for row in rows for cell in row]
        assert not [cell for cell in cells if FORMULA.match(cell) and not is_number(cell)], path
        seen += text
    assert all(name.split("\n")[0].strip() in seen for name in ("=cmd|", "@SUM(A1)", "=HYPERLINK(1)"))
    for line in (files / "compared.txt").read_text("utf-8").splitlines():
        assert not [cell for cell in line.split("\t") if FORMULA.match(cell) and not is_number(cell)], line


def test_no_workbook_has_a_formula_or_a_link(files: Path) -> None:
    for path in found(files, "xlsx"):
        with zipfile.ZipFile(path) as packed:
            sheets = [packed.read(part) for part in packed.namelist() if "worksheets/" in part]
        assert sheets
        assert not [sheet for sheet in sheets if re.search(rb"<f[ >]|<hyperlink", sheet)], path


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attributes]


def test_no_page_has_a_script_or_anything_from_elsewhere(files: Path) -> None:
    for path in found(files, "html"):
        text, page = path.read_text("utf-8"), _Page()
        page.feed(text)
        assert not page.tags & {"script", "img", "iframe", "object", "embed", "link", "base", "form", "foreignobject"}
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        links = [value for name, value in page.attributes if name in ("href", "src", "xlink:href", "action")]
        assert all(link.startswith(("#", "data:image/png;base64,")) for link in links), path
        assert "Content-Security-Policy" in text
        assert "default-src 'none'" in text


def test_no_figure_has_a_script(files: Path) -> None:
    for path in found(files, "svg"):
        tree = ElementTree.fromstring(path.read_text("utf-8"))
        assert not [node for node in tree.iter() if node.tag.endswith(("}script", "}foreignObject", "}a"))]
        for name, value in (pair for node in tree.iter() for pair in node.attrib.items()):
            assert not name.startswith("on")
            assert not name.endswith("href") or value.startswith(("#", "data:image/png;base64,"))


def test_no_paper_has_a_script_a_link_or_the_content_of_another_file(files: Path) -> None:
    for path in found(files, "pdf"):
        content = path.read_bytes()
        for packed in re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
            with suppress(zlib.error):
                content += zlib.decompress(packed)
        assert not re.search(rb"/JavaScript|/JS\b|/Launch|/URI|/EmbeddedFile|root:x:0", content), path


_LATEX = {
    "begin", "end", "caption", "toprule", "midrule", "bottomrule", "textbf", "pm", "usepackage", "textbackslash",
    "textasciitilde", "textasciicircum", "centering", "footnotesize", "setlength", "tabcolsep", "resizebox", "ifdim",
    "width", "linewidth", "else", "fi", "shortstack", "noindent", "par",
}  # fmt: skip


def test_no_name_is_a_command_of_latex_or_markup_of_markdown(files: Path) -> None:
    for path in found(files, "tex"):
        text = path.read_text("utf-8")
        assert set(re.findall(r"\\([A-Za-z]+)", text.replace(r"\\", " "))) <= _LATEX  # without ends of lines
    for path in found(files, "md"):
        text = path.read_text("utf-8")
        assert not re.search(r"(?<!\\)<|(?<!\\)!\[", text)
        assert r"\<script\>" in text


BROKEN = (
    "<script>document.title='ran'</script><svg onload=\"document.title='ran'\"></svg><img src='{0}/img' "
    "onerror=\"document.title='ran'\"><iframe src='{0}/frame'></iframe><link rel=stylesheet href='{0}/css'>"
    "<object data='{0}/object'></object><video src='{0}/video'></video><style>body{{background:url({0}/picture)}}"
    "@font-face{{font-family:x;src:url({0}/font)}}p{{font-family:x}}</style>"
)


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this computer, and what it was asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield PAGE.format(port=server.server_port), paths
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium looks at pages")
def test_in_a_browser_nothing_of_a_page_runs_or_is_fetched_even_if_names_were_not_escaped(
    files: Path, asked: tuple[str, list[str]], tmp_path: Path
) -> None:
    address, paths = asked
    policy = re.compile(r"<meta http-equiv=['\"]Content-Security-Policy['\"] content=\"[^\"]*\">")

    def title(page: str) -> str:
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        flags = ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-sync"]
        flags += ["disable-background-networking", "disable-component-update", f"user-data-dir={tmp_path / 'profile'}"]
        command = ["chromium", *(f"--{flag}" for flag in flags), "--virtual-time-budget=3000", "--dump-dom"]
        command.append((tmp_path / "page.html").as_uri())
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        shown = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
        assert shown is not None
        return shown[1]

    for name in ("all/report.html", "compared.html"):
        page = (files / name).read_text("utf-8")
        usual = title(page)
        assert usual != "ran"
        broken = page.replace("<h2", BROKEN.format(address) + "<h2", 1)
        assert title(broken) == usual
        assert paths == []
        assert title(policy.sub("", broken)) == "ran"  # so the policy was it
        assert {"/img", "/frame", "/css"} <= set(paths)
        paths.clear()
