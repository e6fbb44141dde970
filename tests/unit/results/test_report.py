"""The report, in English and German."""

import io
import re
from dataclasses import replace
from gettext import NullTranslations
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pypdf
import pytest
from matplotlib.text import Text as DrawnText

from fsdesk.data import Dataset, read_table
from fsdesk.messages import ENGLISH, Language, in_language, language_named
from fsdesk.methods import METHODS
from fsdesk.results.bundle import bundle
from fsdesk.results.diagnosis import diagnosed
from fsdesk.results.evidence import ExternalValidation
from fsdesk.results.feature_tests import feature_tests, values_tested
from fsdesk.results.figures import curve_figure, settled, size_figure, weights_figure
from fsdesk.results.heatmap_figures import feature_map_figure
from fsdesk.results.methods_text import _beside_for_paper, bibtex, methods_text, paper_text, references_of
from fsdesk.results.outer import held_out_parts
from fsdesk.results.prediction_figures import confusion_figure, roc_figure
from fsdesk.results.record import History, RunRecord
from fsdesk.results.report import report_html, report_pdf
from fsdesk.results.report.blocks import Facts, Flow, Picture, Text
from fsdesk.results.report.sections import content_of
from fsdesk.results.select import select
from fsdesk.results.tasks import runs_file_task
from fsdesk.wrappers import WRAPPERS
from tests.sketching import reports_sketched, set_in_one_size

HOSTILE = (
    "#pagebreak()", "$x^2$", "*bold* _under_ `raw`", "@label <label> [x](y)", "<script>alert(1)</script>", "a\\b\\",
    '"quoted" \'single\'', "-- --- ... ~", "\u202eright to left\u202c שלום مرحبا", "漢字 かな 한글", "x" * 200,
    "{{ 1 }}",
    "//comment /* more */", "= heading", "e\u0301\u0000\u0007bell", "\U0001f9ec gene",
)  # fmt: skip
ENGLISH_WORDS = re.compile(r"\b(the|of|and|with|from|features?|rows?|subsets?|weights?|true|predicted|search)\b", re.I)
FIGURES = (curve_figure, size_figure, weights_figure, feature_map_figure, confusion_figure, roc_figure)


class _Checked(HTMLParser):
    """Collects elements and ids, and sees that every element that is opened is closed."""

    VOID = frozenset({"meta", "br", "path", "use", "image", "rect", "line"})

    def __init__(self):
        super().__init__()
        self.open, self.found, self.ids, self.references = [], [], [], set()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        self.ids += [value for name, value in attributes if name == "id"]
        for name, value in attributes:
            if name in ("xlink:href", "href") and (value or "").startswith("#"):
                self.references.add(value[1:])
            self.references |= set(re.findall(r"url\(#([^)]*)\)", value or ""))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def checked(page):
    parser = _Checked()
    parser.feed(page)
    assert not parser.open
    return parser


def pages_of(content, first=0):
    """Text of the pages of a PDF, from the first of them on or from the last few."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages[first:]]


@pytest.fixture(scope="module")
def judged(planted):
    """A run with weights, outer folds and shuffled runs."""
    settings = {"max_measurements": 60, "repeats": 2, "folds": 3}
    return select(planted, method="bspsa", wrapper="nb", seed=3, settings=settings, outer=3, permutations=3)


@pytest.fixture(scope="module")
def written(planted, judged):
    """Its report: the HTML page, and the PDF."""
    with set_in_one_size():
        return report_html(judged, planted), report_pdf(judged, planted)


def test_the_page_needs_nothing_beside_itself_and_names_everything(written):
    page, _ = written
    parser = checked(page)
    elements = [tag for tag, _ in parser.found]
    assert not {"script", "iframe", "object", "embed", "link", "img", "a", "form"} & set(elements)
    (policy,) = (attributes["content"] for tag, attributes in parser.found if "http-equiv" in attributes)
    assert "default-src 'none'" in policy
    assert len(parser.ids) == len(set(parser.ids))
    assert parser.references <= set(parser.ids)
    assert not re.search(r'(?:href|src)="(?!#|data:)', page.replace("xmlns", ""))
    tables = elements.count("table")
    assert elements.count("caption") == tables
    figures = [attributes for tag, attributes in parser.found if tag == "figure" and "aria-label" in attributes]
    assert figures
    assert all(attributes["aria-label"] for attributes in figures)
    assert elements.count("h1") == 1
    assert elements.count("math") >= 3
    assert len(page) < 3_000_000


def test_both_forms_say_the_same(planted, judged, written):
    page, paper = written[0].replace("\xa0", " "), " ".join(pages_of(written[1])).replace("\xa0", " ")
    plain = re.sub(r"\s+", "", paper.replace("\u200b", ""))
    for section in content_of(judged, planted).sections:
        assert re.sub(r"\s+", "", section.title) in plain
        for block in section.blocks:
            if isinstance(block, Text):
                assert str(block.text)[:30].replace("'", "&#39;").replace('"', "&#34;") in page
            if isinstance(block, Facts):
                assert re.sub(r"\s+", "", block.caption)[:30] in plain
    assert judged.honest.value_words() in paper
    assert judged.honest.interval_words() in paper


def test_tables_and_figures_are_numbered_and_pages_counted(planted, judged, written):
    blocks = list(content_of(judged, planted).blocks())
    tables = [block.caption for block in blocks if isinstance(block, Facts)]
    figures = [block.caption for block in blocks if isinstance(block, Picture | Flow)]
    assert [each.split(".")[0] for each in tables] == [f"Table {place}" for place in range(1, len(tables) + 1)]
    assert [each.split(".")[0] for each in figures] == [f"Figure {place}" for place in range(1, len(figures) + 1)]
    pages = pages_of(written[1])
    for place, text in enumerate(pages, 1):
        assert f"{place} of {len(pages)}" in text


def test_the_same_result_gives_the_same_pdf_in_one_family_without_a_date(planted, judged, written):
    _, content = written
    with set_in_one_size():  # in the best of all: test_exports.py
        assert content == report_pdf(replace(judged), planted)
    reader = pypdf.PdfReader(io.BytesIO(content))
    assert "/CreationDate" not in (reader.metadata or {})
    fonts = set(re.findall(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([A-Za-z]+)", content))
    assert fonts
    assert all(name.startswith(b"NewCM") for name in fonts), fonts


def test_names_are_only_text_whatever_they_hold(make_dataset):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, len(HOSTILE)))
    target = np.arange(40) % 2
    x[:, 0] += 2 * target
    plain = make_dataset(x, target)
    dataset = replace(
        plain, name=HOSTILE[4] + HOSTILE[0], features=HOSTILE, target_name="#panic() $ *", classes=("<b>&", "@a #b"),
        source="x.csv, #eval",
    )  # fmt: skip
    result = select(dataset, method="full", settings={"repeats": 2, "folds": 3}, outer=2)
    page = report_html(result, dataset)
    elements = {tag for tag, _ in checked(page).found}
    assert not {"script", "b>&"} & elements
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    with set_in_one_size():
        text = "".join(pages_of(report_pdf(result, dataset))).replace("\u200b", "").replace("\n", "")
    for name in ("#pagebreak()", "$x^2$", "*bold* _under_ `raw`", "<script>alert(1)</script>", "{{ 1 }}", "= heading"):
        assert name.replace(" ", "") in text.replace(" ", ""), name
    assert text.replace(" ", "").count("x" * 200) >= 1


def test_a_long_list_stands_in_an_appendix_and_a_wide_one_is_cut_with_a_word(planted, judged):
    names = tuple(f"gene {place}" for place in range(2500))
    many = replace(
        judged, mask=np.ones(2500, bool), all_features=names, weights=np.linspace(1, 0, 2500),
        frequency=np.ones(2500), evidence=(), weights_moved=False,
    )  # fmt: skip
    wide = replace(
        planted, x=np.asfortranarray(np.random.default_rng(0).normal(size=(len(planted.target), 2500))), features=names
    )
    report = content_of(many, wide)
    (table,) = (block for block in report.blocks() if isinstance(block, Facts) and "largest weight" in block.caption)
    assert len(table.rows) == 40
    with reports_sketched(), set_in_one_size():
        text = " ".join(pages_of(report_pdf(many, wide), first=-3))
    assert "gene 1999" in text
    assert "And 500 more; mask.csv contains all of them." in text


def test_a_run_of_a_hundred_thousand_measurements_makes_no_large_page(planted, judged):
    count = 100_000
    rng = np.random.default_rng(0)
    history = History(np.arange(count) / 3, rng.random(count), np.zeros(count), np.full(count, 4.0))
    page = report_html(replace(judged, history=history), planted)
    assert len(page) < 1_500_000


def test_numbers_to_predict_have_a_report(make_dataset):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 5))
    dataset = replace(make_dataset(x, np.zeros(60)), classes=(), response=x[:, 0] + 0.1 * rng.normal(size=60))
    result = select(dataset, method="sfs", wrapper="ridge", settings={"repeats": 2, "folds": 3}, outer=2)
    page = report_html(result, dataset)
    assert f"higher when {dataset.target_name} is higher" in page
    with reports_sketched(), set_in_one_size():
        assert report_pdf(result, dataset).startswith(b"%PDF")


def test_every_work_of_a_reference_becomes_an_entry():
    for entry in [*METHODS, *WRAPPERS]:
        made = bibtex([entry.reference])
        works = len(re.findall(r"\((?:[^()]*, )?\d{4}\)", entry.reference))
        assert made.count("\n}") == works, entry.reference
        assert made.count("  author = {") == made.count("  title = {{") == made.count("  year = {") == works
    made = bibtex(["C. Cortes and V. Vapnik, Support-Vector Networks, Machine Learning 20 (1995)"])
    assert made == (
        "@article{cortes1995supportvector,\n  author = {C. Cortes and V. Vapnik},\n"
        "  title = {{Support-Vector Networks}},\n  journal = {Machine Learning},\n  volume = {20},\n  year = {1995}\n}"
    )


def test_predictions_of_held_out_rows_are_pictures_and_those_of_rows_that_chose_are_not(planted, judged, make_dataset):
    def captions(result, dataset):
        return [block.caption for block in content_of(result, dataset).blocks() if isinstance(block, Picture)]

    shown = " ".join(captions(judged, planted))
    assert "Confusion matrix of the held-out rows" in shown
    assert "ROC curves" in shown
    parts = held_out_parts(judged.spec, planted, judged.honesty, judged.race)
    *_, known = diagnosed(judged.spec, planted, judged.mask, 1, parts)
    (picture,) = (block for block in content_of(judged, planted).blocks()
                  if isinstance(block, Picture) and "Confusion" in block.caption)  # fmt: skip
    rows = known.chosen.confusion
    assert rows.sum() == len(planted.target)
    assert 1 - np.trace(rows) / rows.sum() == pytest.approx(judged.honest.value)  # the held-out error itself
    assert "confusion_figure-" in picture.svg and picture.from_values
    unknown = select(
        planted, method="bspsa", wrapper="nb", settings={"max_measurements": 20, "repeats": 1, "folds": 2}, outer=0
    )
    assert "Confusion" not in " ".join(captions(unknown, planted))


def test_the_flow_begins_with_the_size_of_the_table_and_names_what_was_left_out(tmp_path):
    lines = ["id,note,a,b,y", *(f"r{row},{row},{row % 7},{row % 5},{'' if row == 3 else row % 2}" for row in range(40))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    data = read_table(tmp_path / "t.csv", ignore=["note"])
    result = select(data, method="full", settings={"repeats": 1, "folds": 2}, outer=0)
    (flow,) = (block for block in content_of(result, data).blocks() if isinstance(block, Flow))
    assert "40 rows, 4 columns" in flow.steps[0].text
    aside = "; ".join(flow.steps[0].aside)
    assert '1 column is excluded on request: "note"' in aside
    assert '1 row has no class and is dropped (target "y")' in aside
    assert flow.steps[1].text == "39 rows, 2 features, target y"


class _Brackets(NullTranslations):
    """Every text in brackets: what stands outside of them was forgotten."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def brackets() -> Language:
    return Language("xx", _Brackets())


@pytest.fixture(scope="module")
def confirmed(planted):
    """A result with finalists of several sizes, with scores, and with weights."""
    settings = {"max_measurements": 150, "repeats": 2, "folds": 3}
    return select(planted, method="bspsa-h", wrapper="nb", seed=1, settings=settings, outer=0)


@pytest.fixture(scope="module")
def spoken(planted, confirmed):
    """Its report in English, then in German: page and PDF each."""
    with set_in_one_size():
        english = report_html(confirmed, planted), report_pdf(confirmed, planted)
        with in_language(language_named("de")):
            return english, (report_html(confirmed, planted), report_pdf(confirmed, planted))


def bare(text: str, dataset: Dataset, result: RunRecord) -> set[str]:
    """Words outside of all brackets that are no names of the data or of programs, nor parts of a citation."""
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = shorter
    for name in (
        *result.all_features,
        *dataset.classes,
        dataset.target_name,
        dataset.fingerprint,
        *result.spec.versions,
    ):
        text = text.replace(name, " ")
    return set(re.findall(r"[^\W\d_]{3,}", text))


def page_text(page: str) -> str:
    """What a reader sees of a page, its drawings among it."""
    page = re.sub(r"<style.*?</style>|<defs>.*?</defs>|<metadata>.*?</metadata>|<!--.*?-->", " ", page, flags=re.S)
    page = re.sub(r"<math.*?</math>|<pre>.*?</pre>", " ", page, flags=re.S)  # formulas, a command and BibTeX
    return unescape(re.sub(r"<[^>]*>", " ", page)).replace("\xa0", " ")


def without_references(text: str, result: RunRecord) -> str:
    for reference in references_of(result):
        text = text.replace(reference, "")
    return text


def test_every_text_of_the_page_can_be_said_in_another_language(planted, confirmed):
    with in_language(brackets()):
        shown = without_references(page_text(report_html(confirmed, planted)), confirmed)
    assert bare(shown, planted, confirmed) <= {"mask", "csv", "max"}, bare(shown, planted, confirmed)


@pytest.mark.parametrize("draw", FIGURES)
def test_every_text_of_a_figure_can_be_said_in_another_language(planted, confirmed, draw):
    with in_language(brackets()):
        figure = settled(draw(confirmed, planted))
        texts = " ".join(each.get_text() for each in figure.findobj(DrawnText))
    assert bare(texts, planted, confirmed) == set()


def test_the_german_report_has_no_english_left_and_the_decimals_of_germans(confirmed, spoken):
    _, (page, printed) = spoken
    paper = "\n".join(pages_of(printed))
    shown = without_references(page_text(page), confirmed)
    for name in confirmed.all_features:
        shown = shown.replace(name, "")
    shown = shown.replace("Science Advances", "").replace("Journal of Machine Learning Research", "")
    assert '<html lang="de">' in page
    assert "Merkmalsauswahl" in shown
    assert "Merkmalsauswahl" in paper
    assert "Plan von 150 Messungen" in shown
    assert not set(ENGLISH_WORDS.findall(shown)), ENGLISH_WORDS.findall(shown)
    assert re.search(r"\d,\d\d %", shown)
    assert not re.search(r"\d\.\d\d %", shown)
    assert re.search(r"1 von \d", paper)


def test_english_is_what_the_sources_say_whatever_was_spoken_before(planted, confirmed, spoken):
    english, german = spoken
    assert german[0] != english[0]
    assert report_html(confirmed, planted) == english[0]
    with in_language(ENGLISH):
        assert report_html(confirmed, planted) == english[0]


def test_what_goes_to_papers_and_to_reviewers_stays_english(planted, confirmed):
    with reports_sketched():
        text, sealed = methods_text(confirmed, planted), bundle(confirmed, planted)
        with in_language(language_named("de")):
            assert methods_text(confirmed, planted) == text
            assert bundle(confirmed, planted) == sealed


def test_a_heatmap_is_written_in_the_language_of_the_window(tmp_path):
    request = (np.array([[0.5, 1.0]]), ("a",), ("1: x", "2: y"), "")
    list(runs_file_task(None, *request, str(tmp_path / "x.svg"), "de"))
    drawn = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "Anteil der Teilmengen" in drawn
    assert ">0,5<" in drawn or ">0,4<" in drawn
    list(runs_file_task(None, *request, str(tmp_path / "x.csv"), "de"))
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").startswith("feature,")  # programs read it


def _reported(result, data, guideline):
    """{(item, requirement): (section, keys)} of a guideline in the report, and the content of each section."""
    report = content_of(result, data)
    (table,) = [each for each in report.blocks() if isinstance(each, Facts) and guideline in each.caption]
    found = {(row[0], row[1]): (row[2], keys) for row, keys in zip(table.rows, table.cited, strict=True)}
    return found, {section.key: section for section in report.sections}


TRIPOD = (
    "1 2 3a 3b 3c 4 5a 5b 6a 6b 6c 7 8a 8b 8c 9a 9b 9c 10 11 12a 12b 12c 12d 12e 12f 12g 13 14 15 16 17 18a 18b 18c "
    "18d 18e 18f 19 20a 20b 20c 21 22 23a 23b 24 25 26 27a 27b 27c"
)
REFORMS = "1a 1b 1c 2a 2b 2c 2d 2e 3a 3b 3c 3d 3e 3f 3g 4a 4b 4c 5a 5b 5c 5d 5e 5f 6a 6b 6c 7a 7b 7c 8a 8b"
ITEMS = {"TRIPOD+AI": TRIPOD.split(), "REFORMS": REFORMS.split()}


def _named(cell):
    """The items of a cell: "12d, 23b", "18a-d", "1-3"."""
    found = set()
    for part in cell.split(", "):
        first, _, last = part.partition("-")
        if not last:
            found.add(first)
        elif last.isdigit():
            found |= {str(each) for each in range(int(first), int(last) + 1)}
        else:
            number = first[:-1]
            found |= {number + chr(letter) for letter in range(ord(first[-1]), ord(last) + 1)}
    return found


@pytest.mark.parametrize("guideline", list(ITEMS))
def test_every_item_of_a_guideline_is_claimed_or_left_to_the_authors(planted, judged, guideline):
    items, sections = _reported(judged, planted, guideline)
    named, expected = set().union(*(_named(item) for item, _ in items)), set(ITEMS[guideline])
    stems = {each.rstrip("abcdefg") for each in expected}
    assert named <= expected | stems
    assert {each for each in expected if not {each, each.rstrip("abcdefg")} & named} == set()
    places = {key: section.title.split(".")[0] for key, section in sections.items()}
    for (item, words), (where, keys) in items.items():
        if keys:
            assert where == ", ".join(dict.fromkeys(places[key] for key in keys)), (item, words)
        else:
            assert where in ("to be added by the authors", "not done here"), (item, words)


def test_items_are_claimed_only_where_the_report_meets_them(planted, judged):
    items, sections = _reported(judged, planted, "TRIPOD+AI")
    by_item = {}
    for (item, _), (where, _) in items.items():
        by_item.setdefault(item, []).append(where)
    assert by_item["12d, 23b"] == ["not done here"]  # no batches are left out
    assert "not done here" in by_item["23a"]  # no second table
    assert by_item["16"] == by_item["10"] == ["to be added by the authors"]
    unseen = next(each for each in sections["unseen"].blocks if isinstance(each, Facts))
    assert "Rows by class" in unseen.head  # 21: rows and outcomes in each analysis
    assert all(sum(map(int, row[5].split(", "))) == int(row[1]) for row in unseen.rows)
    unknown = select(planted, method="univariate", wrapper="nb", seed=0, settings={"repeats": 1, "wanted": 2}, outer=0)
    if unknown.honest is not None:
        unknown = replace(unknown, evidence=())
    claims = {
        guideline: {item for (item, _), (_, keys) in _reported(unknown, planted, guideline)[0].items() if keys}
        for guideline in ITEMS
    }
    assert not {"12d, 23b", "23a", "21"} & claims["TRIPOD+AI"]
    assert not {"5f", "7b"} & claims["REFORMS"]


def test_a_model_without_scores_claims_no_calibration(planted):
    result = select(planted, method="univariate", wrapper="cart", seed=0, settings={"repeats": 1}, outer=3)
    items = _reported(result, planted, "TRIPOD+AI")[0]
    has_card = WRAPPERS["cart"].model().scores_are() is not None
    assert bool([keys for (item, words), (_, keys) in items.items() if "Calibration" in words and keys]) == has_card


def test_the_pdf_names_the_page_of_each_claimed_item(planted, judged, written):
    pages = [re.sub(r"\s+", " ", each) for each in pages_of(written[1])]
    paper, items = " ".join(pages), _reported(judged, planted, "TRIPOD+AI")[0]
    report = content_of(judged, planted)
    for key in ("data", "decision", "unseen"):
        (title,) = [section.title for section in report.sections if section.key == key]
        (page,) = [place for place, text in enumerate(pages, 1) if title in text]
        assert f"{title.split('.')[0]} (page {page})" in paper, title
    assert paper.count("(page ") >= sum(bool(keys) for _, keys in items.values())


def test_what_the_report_says_of_noise_is_true_of_noise():
    """Sentences that a table of noise once contradicted."""
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    data = Dataset("noise", np.asfortranarray(rng.normal(size=(40, 60))), tuple(f"f{place}" for place in range(60)), y,
                   "class", ("no", "yes"), ("",) * 40)  # fmt: skip
    result = select(data, wrapper="auto", preset="quick", seed=0)
    assert result.honest.verdict == "no evidence"
    said = " ".join(str(text) for text in _texts(content_of(result, data)))
    assert "A selected feature predicts" not in said and "slightly optimistic" not in said
    assert "the smallest wins" not in said
    best = min(each.mean for each in result.race.complete)
    assert result.honest.value - best > 0.1  # "by 10 points and more if there is little signal and many models compete"
    assert "by 10 points and more" in said
    assert "applies to a feature chosen in advance" in said  # of these intervals most exclude 0.5
    most = next(row[1] for each in content_of(result, data).blocks() if isinstance(each, Facts) for row in each.rows
                if row[0] == "Max. features")  # fmt: skip
    assert "2000 if models compete" in most


def _texts(report):
    for block in report.blocks():
        if isinstance(block, Text):
            yield block.text
        elif isinstance(block, Facts):
            yield from (block.note, *(cell for row in block.rows for cell in row))
        else:
            yield from getattr(block, "texts", ())
            yield from (words for _, words in getattr(block, "formulas", ()))


def test_a_paper_says_how_many_features_are_associated_and_what_another_table_showed(planted, judged):
    tests = feature_tests(values_tested(planted, judged.spec.measuring))
    said = paper_text(judged, planted)
    assert f"{int(tests.associated[judged.mask].sum())} of {len(judged.features)} were individually associated" in said
    error = replace(judged.honest, source="another table", rows=80)
    elsewhere = ExternalValidation("site B", error, 12, 12, (), tuple(judged.features))
    said = paper_text(replace(judged, validations=(elsewhere,)), planted)
    assert "On 80 rows of site B: Error: " in said
    assert said.count("on held-out rows") == paper_text(judged, planted).count("on held-out rows")


def test_a_paper_says_better_only_where_the_interval_excludes_zero(planted, judged):
    honest = judged.honest
    assert honest.difference_low < 0 < honest.difference_high
    said = paper_text(judged, planted)
    assert "better by" not in said and "worse by" not in said
    assert "which is not distinguishable: the difference was" in said
    shown = {}
    for name, (gain, low, high) in {
        "better": (0.1, 0.02, 0.2),
        "worse": (-0.1, -0.2, -0.02),
        "no": (0.0, -0.1, 0.1),
    }.items():
        shown[name] = _beside_for_paper(replace(honest, difference=gain, difference_low=low, difference_high=high))
    assert "better by 10.0 points (95 % interval 2.0 to 20.0)" in shown["better"]
    assert "worse by 10.0 points (95 % interval 2.0 to 20.0)" in shown["worse"]
    assert "the difference was 0.0 points (95 % interval −10.0 to 10.0)" in shown["no"]
