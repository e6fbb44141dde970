"""Reports and printed figures in other languages: nothing is left in English, and English is what the sources say."""

import re
from gettext import NullTranslations
from html import unescape
from io import BytesIO

import pytest
from matplotlib.text import Text
from pypdf import PdfReader

from fsdesk.data import Dataset
from fsdesk.messages import ENGLISH, Language, in_language, language_named
from fsdesk.results import select
from fsdesk.results.bundle import bundle
from fsdesk.results.figures import curve_figure, settled, size_figure, weights_figure
from fsdesk.results.heatmap_figures import feature_map_figure
from fsdesk.results.methods_text import methods_text, references_of
from fsdesk.results.prediction_figures import confusion_figure, roc_figure
from fsdesk.results.report import report_html, report_pdf
from fsdesk.results.result import Result
from fsdesk.results.tasks import RunsRequest, runs_file_task

ENGLISH_WORDS = re.compile(r"\b(the|of|and|with|from|features?|rows?|subsets?|weights?|true|predicted|search)\b", re.I)
FIGURES = (curve_figure, size_figure, weights_figure, feature_map_figure, confusion_figure, roc_figure)


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
    return select(planted, method="bspsa-h", wrapper="nb", seed=1, settings=settings)


def bare(text: str, dataset: Dataset, result: Result) -> set[str]:
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
    return unescape(re.sub(r"<[^>]*>", " ", page))


def without_references(text: str, result: Result) -> str:
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
        texts = " ".join(each.get_text() for each in figure.findobj(Text))
    assert bare(texts, planted, confirmed) == set()


def test_the_german_report_has_no_english_left_and_the_decimals_of_germans(planted, confirmed):
    with in_language(language_named("de")):
        page = report_html(confirmed, planted)
        paper = "\n".join(each.extract_text() for each in PdfReader(BytesIO(report_pdf(confirmed, planted))).pages)
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


def test_english_is_what_the_sources_say_whatever_was_spoken_before(planted, confirmed):
    english = report_html(confirmed, planted), report_pdf(confirmed, planted)
    with in_language(language_named("de")):
        assert report_html(confirmed, planted) != english[0]
    assert (report_html(confirmed, planted), report_pdf(confirmed, planted)) == english
    with in_language(ENGLISH):
        assert report_html(confirmed, planted) == english[0]


def test_what_goes_to_papers_and_to_reviewers_stays_english(planted, confirmed):
    text, sealed = methods_text(confirmed, planted), bundle(confirmed, planted)
    with in_language(language_named("de")):
        assert methods_text(confirmed, planted) == text
        assert bundle(confirmed, planted) == sealed


def test_a_heatmap_is_written_in_the_language_of_the_window(tmp_path):
    import numpy as np

    request = RunsRequest(np.array([[0.5, 1.0]]), ("a",), ("1: x", "2: y"), "")
    list(runs_file_task(None, request, str(tmp_path / "x.svg"), "de"))
    drawn = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "Anteil der Teilmengen" in drawn
    assert ">0,5<" in drawn or ">0,4<" in drawn
    list(runs_file_task(None, request, str(tmp_path / "x.csv"), "de"))
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").startswith("feature,")  # programs read it
