"""Runs side by side: cells, best of a column, tables to take along, against hand calculation."""

import csv
import io
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from python_calamine import CalamineWorkbook

from fsdesk.data import Dataset
from fsdesk.engine import Flag, RunSpec
from fsdesk.messages import in_language, language_named
from fsdesk.results.comparison import (
    Comparison,
    Entry,
    compared_project,
    compared_runs,
    data_names,
    entry_of,
    variants,
)
from fsdesk.results.evidence import Fresh, OuterFold
from fsdesk.results.figures import rank_figure, saved
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.record import RunRecord
from fsdesk.results.sheets import TABLES, Line, Sheet, written_sheets
from fsdesk.results.significance import leading_words, paper_stars, sheet_of, statistics_sheets, verdicts, written_table
from fsdesk.results.study import study
from fsdesk.results.tasks import comparison_task
from fsdesk.store import Project
from tests.unit.results.test_curves import state_of


def _entry(method, seed, search, honest=None, data="sonar", criterion="error"):
    return Entry(1, data, method, "1-NN", criterion, seed, search, None, honest, 10, 100, 1.5)


COLUMN = ("sonar", "error")


def _made():
    return Comparison.of(
        [
            _entry("All features", 0, 0.1365),
            _entry("BSPSA", 0, 0.05, 0.12),
            _entry("BSPSA", 1, 0.07, 0.14),
            _entry("BGA", 0, 0.04),
            _entry("BGA", 0, 0.2, data="wine", criterion="auc"),
        ]
    )


def test_a_cell_has_mean_and_standard_deviation_over_its_seeds():
    made = _made()
    assert made.rows == (("All features", "1-NN"), ("BSPSA", "1-NN"), ("BGA", "1-NN"))
    assert made.columns == (COLUMN, ("wine", "auc"))
    # by hand: mean 6 %, deviation sqrt(2) %
    assert made.text(("BSPSA", "1-NN"), COLUMN, "search") == "6.00 ± 1.41"
    assert made.text(("BGA", "1-NN"), COLUMN, "search") == "4.00"
    assert made.text(("BGA", "1-NN"), ("wine", "auc"), "search") == "0.800"
    assert made.text(("BGA", "1-NN"), COLUMN, "honest") == ""
    assert made.text(("BSPSA", "1-NN"), ("wine", "auc"), "search") == ""


def test_the_same_run_twice_is_one_seed():
    entry = _entry("BSPSA", 0, 0.05)
    made = Comparison.of([entry, replace(entry, run=7, seconds=99.0), _entry("BSPSA", 1, 0.07)])
    assert made.text(("BSPSA", "1-NN"), COLUMN, "search") == "6.00 ± 1.41"
    cell = made.cells[("BSPSA", "1-NN"), COLUMN]
    assert (len(cell.entries), len(cell.distinct)) == (3, 2)
    assert sheet_of(made, COLUMN).lines[0].cells[2] == "2"


def test_the_best_of_a_column_has_the_lowest_loss_and_needs_a_rival():
    made = _made()
    assert made.best(COLUMN, "honest") == frozenset()
    assert made.best(COLUMN, "search") == frozenset()  # too good to call anything the best
    assert made.best(("wine", "auc"), "search") == frozenset()
    assert made.best(COLUMN, "features") == frozenset()


def test_an_error_that_may_be_luck_is_not_called_the_best():
    clear = replace(_entry("BGA", 0, 0.1, 0.3), unseen=HonestError("error", 0.3, 0.2, 0.4, chance_difference_low=0.1))
    lucky = replace(
        _entry("BSPSA", 0, 0.1, 0.4), unseen=HonestError("error", 0.4, 0.3, 0.5, chance_difference_low=-0.1)
    )
    assert Comparison.of([clear, lucky]).best(COLUMN, "honest") == {("BGA", "1-NN")}
    luckier = replace(lucky, honest=0.2)
    assert Comparison.of([clear, luckier]).best(COLUMN, "honest") == frozenset()


def test_the_search_error_never_stands_alone_for_a_run_with_evidence():
    state = state_of([0.2, 0.1])
    folds = tuple(OuterFold(fold, 2, 5, loss, 0.1, np.zeros(1, np.uint8)) for fold, loss in enumerate((0.3, 0.5)))
    spec = RunSpec(data_name="made", features=4)
    whole = entry_of(1, RunRecord.of(state, spec=spec, evidence=folds))
    half = entry_of(1, RunRecord.of(state, spec=spec, evidence=folds[:1]))
    assert whole is not None
    assert half is not None
    assert whole.honest == pytest.approx(0.4)
    assert whole.values.tolist() == [0.3, 0.5]
    assert half.honest is None  # a part of the folds is no held-out error yet


def test_a_project_is_compared_with_all_features_as_a_row(planted, tmp_path):
    from fsdesk.engine import ThreadExecutor, run
    from fsdesk.engine.tasks import evaluator_of

    project = Project.create(tmp_path / "study.fsdesk")
    project.add_dataset(planted)
    for seed in (0, 1):
        spec = RunSpec.make(planted, method="sfs", seed=seed, settings={"max_measurements": 20, "repeats": 1})
        number = project.add_run(spec)
        with ThreadExecutor(evaluator_of(spec, planted)) as executor:
            project.append([(number, event) for event in run(spec, planted, executor)])
    mask = project.state(1).best.mask
    project.append([(1, Fresh(np.packbits(mask), np.array([0.5, 0.25])))])
    made = compared_project(project)
    project.close()
    assert [row[0] for row in made.rows] == ["All features", "SFS"]
    (column,) = made.columns
    assert made.cells[made.rows[1], column].summary("fresh").mean == pytest.approx(0.375)
    assert [entry.seed for entry in made.entries(column)] == [0, 1, 0, 1]


def test_a_latex_table_breaks_its_heads_and_says_its_note_once():
    text = written_table(_made(), "tex").decode("utf-8")
    assert r"\shortstack[r]{Error on\\held-out\\rows, \%}" in text
    assert text.count("standard deviation over seeds") == 1
    assert text.rstrip().endswith(r"\par}")


def test_a_comparison_that_the_window_saves_is_in_the_language_of_the_window(tmp_path):
    path = tmp_path / "comparison.md"
    assert list(comparison_task(Flag(), _made(), "md", str(path), "de")) == [str(path)]
    with in_language(language_named("de")):
        assert path.read_bytes() == written_table(_made(), "md")
    assert "Verfahren" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", ["tex", "md", "html"])
def test_every_format_to_read_holds_the_numbers_and_marks_the_best(suffix):
    text = written_table(_made(), suffix).decode("utf-8")
    assert (r"6.00 $\pm$ 1.41" if suffix == "tex" else "6.00 ± 1.41") in text
    assert "13.0 *" not in text  # one alone is not the best
    assert "4.00 *" not in text  # and of what is too good none is
    both = Comparison.of([_entry("BSPSA", 0, 0.05, 0.12), _entry("BGA", 0, 0.04, 0.2)])
    text = written_table(both, suffix).decode("utf-8")
    assert "12.0 *" in text
    assert "20.0 *" not in text


def test_latex_has_no_sign_that_pdflatex_does_not_know():
    sheet = Sheet("wine", ("Method", "Gain"), ("Method", "Gain"), (Line(("SFS", "−0.3 ± 0.1"), ("", 0.0)),), 1)
    text = written_sheets([sheet], "tex", "").decode("utf-8")
    assert r"SFS & $-$0.3 $\pm$ 0.1 \\" in text


@pytest.mark.parametrize("suffix", sorted(set(TABLES) - {"tex", "md", "html"}))
def test_formats_for_programs_hold_bare_numbers_mean_and_deviation_apart(suffix):
    content = written_table(_made(), suffix)
    if suffix == "xlsx":
        rows = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()
        titles, line = rows[1], next(row for row in rows if row[0] == "BSPSA")
    else:
        lines = content.decode("utf-8-sig").splitlines()
        split = [line.split("\t") for line in lines] if suffix == "txt" else list(csv.reader(lines))
        titles, line = split[0][1:], next(row[1:] for row in split if row[1] == "BSPSA")
    found = dict(zip(titles, line, strict=False))
    assert float(found["Error in the search, %"]) == pytest.approx(6.0)
    assert float(found["Error in the search, %, standard deviation"]) == pytest.approx(2**0.5)
    assert float(found["Error on held-out rows, %"]) == pytest.approx(13.0)
    assert found["Error on new folds, %"] in (None, "")


def test_all_features_show_only_what_was_measured_of_them(planted, tmp_path):
    state = state_of([0.2, 0.1])
    made = compared_runs([(1, RunRecord.of(state, spec=RunSpec(data_name="made", features=4)))])
    (everything,) = [entry for entry in made.entries() if not entry.run]
    assert everything.search == state.baseline
    assert (everything.fresh, everything.honest) == (None, None)


def test_runs_of_one_method_that_differ_stand_apart_and_are_named_by_what_differs():
    measuring = RunSpec().measuring
    specs = [
        RunSpec(data_name="made", features=4, method="bspsa", seed=0),
        RunSpec(data_name="made", features=4, method="bspsa", seed=1),
        RunSpec(data_name="made", features=4, method="bspsa", method_settings={"max_iterations": 7}),
        RunSpec(data_name="made", features=4, method="bspsa", wrapper_settings={"k": 3}),
        RunSpec(
            data_name="made", features=4, method="bspsa", wrapper="svm", measuring=measuring.updated({"repeats": 2})
        ),
    ]
    names = variants(specs, [False] * 4 + [True])
    assert names[0] == names[1]
    assert len(set(names)) == 4
    assert "7" in names[2][0]
    assert "3" in names[3][1]
    assert "changed by hand" in names[4][0]
    made = compared_runs(
        [(place, RunRecord.of(state_of([0.2]), spec=spec)) for place, spec in enumerate(specs, 1)], names
    )
    seeds = [len(cell.entries) for (row, _), cell in made.cells.items() if row[0] != "All features"]
    assert sorted(seeds) == [1, 1, 1, 2]


def test_names_that_look_like_formulas_or_markup_do_no_harm():
    made = Comparison.of([_entry("=cmd|' /C calc'!A0", 0, 0.1), _entry("<b>&_", 0, 0.2)])
    rows = list(csv.reader(io.StringIO(written_table(made, "csv").decode("utf-8-sig"))))
    assert rows[1][1].startswith("'=")
    assert b"&lt;b&gt;&amp;_" in written_table(made, "html")
    assert rb"<b>\&\_" in written_table(made, "tex")
    assert b"=cmd\\|" in written_table(made, "md")
    assert not sheet_of(made, COLUMN).lines[0].best


def _unseen(loss, low, high, gain):
    return HonestError("error", loss, low, high, loss + gain, gain, gain - 0.02, gain + 0.02)


def test_all_features_are_not_compared_with_themselves():
    error = replace(_unseen(0.1, 0.05, 0.15, 0.0), selected=60, features=60)
    everything = replace(_entry("All features", 0, 0.1, 0.1), unseen=error)
    smaller = replace(_entry("BSPSA", 0, 0.1, 0.1), unseen=replace(error, selected=30))
    made = Comparison.of([everything, smaller])
    assert made.text(("All features", "1-NN"), COLUMN, "difference") == ""
    assert made.text(("BSPSA", "1-NN"), COLUMN, "difference") == "0.0 [-2.0; 2.0]"


def test_errors_on_unseen_rows_stand_with_intervals_which_seeds_do_not_narrow():
    entries = [
        replace(_entry("BSPSA", 0, 0.05, 0.12), unseen=_unseen(0.12, 0.08, 0.18, 0.03)),
        replace(_entry("BSPSA", 1, 0.05, 0.14), unseen=_unseen(0.14, 0.10, 0.20, 0.01)),
    ]
    made, row = Comparison.of(entries), ("BSPSA", "1-NN")
    assert made.text(row, COLUMN, "honest") == "13.0 [9.0; 19.0]"
    assert made.text(row, COLUMN, "difference") == "2.0 [0.0; 4.0]"
    head, line = csv.reader(io.StringIO(written_table(made, "csv").decode("utf-8-sig")))
    found = dict(zip(head, line, strict=True))
    ends = [float(found[f"Error on held-out rows, %, interval {end}"]) for end in ("from", "to")]
    assert ends == pytest.approx([9, 19])
    assert float(found["Gain over all features, points"]) == pytest.approx(2)
    alone = Comparison.of([replace(entries[0], criterion="auc")])
    assert alone.text(row, ("sonar", "auc"), "honest") == "0.880 [0.820; 0.920]"
    mixed = Comparison.of([entries[0], replace(entries[1], unseen=None)])
    assert mixed.text(row, COLUMN, "honest") == "13.0"  # of one the rows are not known


def _tested(method, data, losses, search=0.1, error=0.004):
    made = replace(_entry(method, 0, search, float(np.mean(losses)), data), std_error=error, repeats=10)
    return replace(made, values=np.array(losses), setting=(("folds", 5),))


def _study():
    """Three tables; "good" is better than "bad" by 10 points on each, "same" is like "good" but for a thousandth."""
    entries = []
    for number, data in enumerate(("iris", "sonar", "wine")):
        base = 0.1 + 0.02 * number + np.array([0.0, 0.01, 0.02, 0.03, 0.04])
        entries += [
            _tested("good", data, base, search=0.05),
            _tested("same", data, base + 0.001 * (1 + np.arange(5) % 2), search=0.0501),
            _tested("bad", data, base + 0.1 + 0.01 * (np.arange(5) % 2), search=0.2),
        ]
    return Comparison.of(entries)


def test_tests_over_folds_and_over_tables_say_who_is_better():
    found = verdicts(_study())
    pairs = {(pair.column[0], pair.first[0], pair.second[0]): pair.test for pair in found.pairs}
    assert len(pairs) == 9
    assert pairs["iris", "good", "bad"].difference == pytest.approx(-0.104)
    assert pairs["iris", "good", "bad"].p < 0.001
    assert found.ranking.test.ranks.tolist() == [1, 2, 3]
    signed = {(first[0], second[0]): test for first, second, test in found.signed_ranks}
    assert signed["good", "bad"].worse > 0.95
    assert signed["good", "same"].same > 0.95
    assert not paper_stars(found, ("iris", "error"))  # "same" is too near
    assert found.paper[("iris", "error"), "1-NN"][1].anova < 0.001


def test_a_star_by_the_procedure_of_the_paper_stands_in_every_format():
    entries = [_tested("good", "iris", [0.1, 0.2], search=0.05), _tested("bad", "iris", [0.3, 0.3], search=0.2)]
    comparison = Comparison.of(entries)
    assert paper_stars(verdicts(comparison), ("iris", "error")) == {("good", "1-NN")}
    for suffix in ("tex", "md", "html"):
        assert "5.00*" in written_table(comparison, suffix).decode()
    rows = list(csv.reader(io.StringIO(written_table(comparison, "csv").decode("utf-8-sig"))))
    head = next(row for row in rows if row[-1] == "significantly better in the search")
    lines = [dict(zip(head, row, strict=False)) for row in rows if row[0] == "iris, as in the paper: Error, %"]
    assert [line["significantly better in the search"] for line in lines] == ["1", "0"]
    assert float(lines[0]["Standard error, %"]) == pytest.approx(0.4)


def test_methods_on_other_folds_are_not_paired():
    entries = [_tested("good", "iris", [0.1, 0.2]), replace(_tested("bad", "iris", [0.3, 0.3]), seed=1)]
    assert verdicts(Comparison.of(entries)).pairs == ()
    one = Comparison.of(entries[:1])
    assert statistics_sheets(one) == []


def test_the_diagram_of_ranks_names_every_method_and_the_critical_difference():
    ranking = verdicts(_study()).ranking
    drawn = saved(lambda: rank_figure(ranking), "svg").decode()
    for words in ("good (1.00)", "same (2.00)", "bad (3.00)", f"critical difference {ranking.test.difference:.2f}"):
        assert words in drawn
    assert saved(lambda: rank_figure(ranking), "svg").decode() == drawn
    spoken = replace(ranking, rows=(("All features", "1-NN"), *ranking.rows[1:]))
    with in_language(language_named("de")):
        assert "Alle Merkmale (" in saved(lambda: rank_figure(spoken), "svg").decode()


def test_all_features_have_one_line_and_no_star_though_they_have_runs_of_their_own(tmp_path):
    plan = {"tables": ["sample:wine"], "methods": ["ranking", "full"], "seeds": [0, 1], "outer": 3}
    comparison = study(plan, tmp_path).comparison
    (column,) = comparison.columns
    assert [row[0] for row in comparison.rows] == ["All features", "Ranking"]
    assert [len(comparison.cells[row, column].entries) for row in comparison.rows] == [2, 2]
    assert comparison.rows[0] not in comparison.best(column, "honest")


def test_tables_and_tests_speak_german_in_every_format():
    study = _study()
    with in_language(language_named("de")):
        texts = {suffix: written_table(study, suffix).decode("utf-8-sig") for suffix in set(TABLES) - {"xlsx"}}
        book = CalamineWorkbook.from_filelike(io.BytesIO(written_table(study, "xlsx"))).get_sheet_by_index(0)
        texts["xlsx"] = repr(book.to_python())
    for suffix, text in texts.items():
        for english in (
            "Method",
            "nseen",
            "Seeds",
            "tandard error",
            "paper",
            " test ",
            "First",
            "Measurements",
            "inter",
        ):
            assert english not in text.replace("Nemenyi", "").replace("Intervall", ""), (suffix, english)
        for german in ("Verfahren", "auf Testzeilen", "Standardfehler", "kritische"):
            assert german in text, (suffix, german)
    assert "5,00" in texts["html"] and "5.00" not in texts["html"]


def _rival(method, losses, gain=0.1, features=12, rows=100, model="1-NN", p=0.001):
    loss = float(np.mean(losses))
    unseen = HonestError(
        "error", loss, loss - 0.03, loss + 0.03, loss + gain, gain, gain - 0.02, gain + 0.02,
        rows=rows, selected=features, features=60, association_p=p,
    )  # fmt: skip
    return replace(
        _entry(method, 0, 0.01, loss), values=np.array(losses), unseen=unseen, features=features, model=model
    )


def test_a_sentence_names_the_lowest_held_out_error_and_what_is_not_clearly_worse_by_the_paired_test():
    best = _rival("Automatic", [0.02, 0.03, 0.01, 0.02, 0.03])
    near = _rival("BSPSA", [0.03, 0.02, 0.02, 0.03, 0.02])  # by hand: t of 0.2 on four degrees of freedom
    far = _rival("BGA", [0.22, 0.24, 0.2, 0.22, 0.24])
    assert leading_words(Comparison.of([far, best, near]), COLUMN) == (
        "Automatic has the lowest held-out error, 2.2 % with 12 features; BSPSA is not clearly worse. "
        "It is better than all features."
    )
    assert leading_words(Comparison.of([best, far]), COLUMN).startswith(
        "Automatic has the lowest held-out error, 2.2 % with 12 features; BGA is clearly worse."
    )
    forest = replace(near, model="Random forest")
    assert "; BSPSA with random forest is not clearly worse." in leading_words(Comparison.of([best, forest]), COLUMN)
    both = [best, near, replace(near, method="SFS"), replace(near, method="SBS"), replace(near, method="Tabu")]
    assert "; BSPSA, SFS, SBS and 1 other are not clearly worse." in leading_words(Comparison.of(both), COLUMN)


def test_without_the_same_folds_intervals_that_do_not_overlap_tell_and_more_tests_need_a_smaller_p():
    best, far = _rival("Automatic", [0.02, 0.02]), _rival("BGA", [0.2, 0.2])
    apart = [replace(best, values=np.empty(0)), replace(far, values=np.empty(0))]
    assert "; BGA is clearly worse." in leading_words(Comparison.of(apart), COLUMN)
    close = replace(apart[1], honest=0.06, unseen=replace(far.unseen, value=0.06, low=0.03, high=0.09))
    assert "; BGA is not clearly worse." in leading_words(Comparison.of([apart[0], close]), COLUMN)
    # by hand: the paired t of these is 3.5 on four degrees of freedom, p = 0.025
    first = _rival("Automatic", [0.02] * 5)
    second = _rival("BGA", [0.02 + each for each in (0.03, 0.08, 0.05, 0.02, 0.07)])
    shown = verdicts(Comparison.of([first, second])).pairs[0].test.p
    assert 0.0125 < shown < 0.05
    assert "; BGA is clearly worse." in leading_words(Comparison.of([first, second]), COLUMN)
    third = replace(second, method="SFS")
    words = leading_words(Comparison.of([first, second, third, replace(third, method="SBS")]), COLUMN)
    assert "; BGA, SFS and SBS are not clearly worse." in words


def test_no_sentence_where_nothing_can_be_said():
    best, near = _rival("Automatic", [0.02, 0.03]), _rival("BSPSA", [0.03, 0.04])
    assert leading_words(Comparison.of([best]), COLUMN) == ""
    assert leading_words(Comparison.of([best, _entry("BGA", 0, 0.1)]), COLUMN) == ""
    assert leading_words(Comparison.of([best, replace(best, method="BGA")]), COLUMN) == ""  # a tie
    assert leading_words(Comparison.of([best, _rival("BSPSA", [0.03, 0.04], rows=80)]), COLUMN) == ""
    luck = _rival("Automatic", [0.02, 0.03], p=0.3)
    assert leading_words(Comparison.of([luck, near]), COLUMN) == ""


def test_the_sentence_is_in_the_unit_of_the_criterion_and_says_where_all_features_do_as_well():
    def of_auc(entry):
        return replace(entry, criterion="auc", unseen=replace(entry.unseen, criterion="auc"))

    best = of_auc(_rival("Automatic", [0.1, 0.1], gain=0.01))
    other = of_auc(_rival("BSPSA", [0.3, 0.31]))
    words = leading_words(Comparison.of([best, other]), ("sonar", "auc"))
    assert words.startswith("Automatic is best on held-out rows (AUC 0.900 with 12 features); BSPSA is clearly worse")
    assert words.endswith("It is not shown to be better than all features.")


def test_a_sentence_says_it_where_all_features_have_a_lower_error_than_every_run():
    best = _rival("Automatic", [0.02, 0.03, 0.01, 0.02, 0.03])
    other = _rival("BSPSA", [0.03, 0.02, 0.02, 0.03, 0.02])
    whole = replace(_entry("All features", 0, 0.01, 0.015), run=0, model="Automatic")
    assert leading_words(Comparison.of([whole, best, other]), COLUMN).endswith("All features (Automatic): 1.50 %.")
    whole = replace(whole, honest=0.4)
    assert "(Automatic)" not in leading_words(Comparison.of([whole, best, other]), COLUMN)


def _data(name="metabolomics", seed=3, **changes):
    rng = np.random.default_rng(seed)
    features = changes.pop("features", ("a", "b", "batch"))
    values = {
        "name": name,
        "x": rng.normal(size=(8, len(features))),
        "features": features,
        "target": np.arange(8) % 2,
        "target_name": "status",
        "classes": ("case", "control"),
        "rows": tuple(map(str, range(8))),
    }
    return Dataset(**{**values, **changes})


GROUPED = {
    "features": ("a", "b"),
    "groups": np.arange(8) // 2,
    "role_names": {"groups": "batch"},
}


def _compared(tmp_path, datasets):
    """The comparison of one run on each data set of a project."""
    project = Project.create(tmp_path / "two.fsdesk")
    runs = []
    for number, dataset in enumerate(datasets, 1):
        project.add_dataset(dataset)
        spec = RunSpec(
            data_name=dataset.name,
            data_fingerprint=dataset.fingerprint,
            features=len(dataset.features),
            rows=8,
            method="bspsa",
        )
        folds = [OuterFold(at, 2, 4, loss / number, 0.1, np.zeros(1, np.uint8)) for at, loss in enumerate((0.3, 0.5))]
        runs.append((number, RunRecord.of(state_of([0.2, 0.1]), spec=spec, evidence=tuple(folds))))
    made = compared_runs(runs, None, project.described)
    project.close()
    return made


def test_runs_whose_rows_are_grouped_differently_are_on_different_data_and_not_ranked(tmp_path):
    made = _compared(tmp_path, [_data(**GROUPED), _data()])
    grouped, other = "metabolomics, grouped by batch, 2 features", "metabolomics, not grouped, 3 features"
    assert [data for data, _ in made.columns] == [grouped, other]
    for column in made.columns:
        assert [row[0] for row in made.rows if (row, column) in made.cells] == ["All features", "BSPSA"]
        assert leading_words(made, column) == ""
        assert made.best(column, "honest") == frozenset()
    text = written_table(made, "csv").decode("utf-8-sig")
    assert grouped in text
    assert other in text
    with in_language(language_named("de")):
        assert "metabolomics, gruppiert nach batch, 2 Merkmale" in written_table(made, "csv").decode("utf-8-sig")


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({}, {"features": ("a", "b")}, ("3 features", "without batch")),
        ({}, {"target_name": "stage"}, ("target status", "target stage")),
        ({}, {"fold_of": np.arange(8) % 4}, ("without own folds", "with own folds")),
        ({}, {"classes": (), "response": np.arange(8.0)}, ("2 classes", "numeric target")),
        ({}, {"seed": 4}, ("version 1", "version 2")),  # other values
        ({}, {}, ("", "")),
    ],
)
def test_data_sets_of_one_table_are_named_by_what_differs(tmp_path, first, second, names):
    datasets = [_data(**first), _data(**second)]
    specs = [RunSpec(data_name=each.name, data_fingerprint=each.fingerprint, features=3) for each in datasets]
    project = Project.create(tmp_path / "names.fsdesk")
    for each in datasets:
        project.add_dataset(each)
    said = data_names(specs, project.described)
    assert said == [f"metabolomics, {name}".removesuffix(", ") for name in names]
    assert project.described("unknown") is None
    project.close()


def test_a_feature_that_no_run_on_the_data_may_select_is_not_counted_in_their_name(tmp_path):
    grouped, plain, ignored = _data(**GROUPED), _data(), _data(features=("a", "b"))
    with closing(Project.create(tmp_path / "names.fsdesk")) as project:
        for each in (grouped, plain, ignored):
            project.add_dataset(each)

        def names(*runs):
            specs = [
                RunSpec(data_name="metabolomics", data_fingerprint=each.fingerprint, never=never)
                for each, never in runs
            ]
            return data_names(specs, project.described)

        said = ["metabolomics, grouped by batch", "metabolomics, not grouped"]
        assert names((grouped, ()), (plain, ("batch",))) == said
        # nothing else tells these two apart
        said = ["metabolomics, without batch", "metabolomics, 3 features"]
        assert names((ignored, ()), (plain, ("batch",))) == said


def test_data_that_the_project_does_not_have_are_told_apart_by_their_size():
    sizes = ((8, 3), (9, 3), (9, 3))
    specs = [
        RunSpec(data_name="Data", data_fingerprint=str(at), rows=rows, features=features)
        for at, (rows, features) in enumerate(sizes)
    ]
    assert data_names(specs, lambda _: None) == ["Data, 8 rows", "Data, 9 rows, version 1", "Data, 9 rows, version 2"]
    with in_language(language_named("de")):  # the name of a table is not translated
        assert Comparison.data_title((data_names(specs[:2], lambda _: None)[0], "error")) == "Data, 8 Zeilen"
        assert Comparison.data_title(("Data", "error")) == "Data"


def test_runs_that_exclude_different_features_are_compared_and_say_so_with_all_features_of_each():
    state = state_of([0.2, 0.1])
    excluded = state.features[-1]
    specs = [RunSpec(data_name="made", features=4, method="bspsa", never=never) for never in ((), (excluded,))]
    made = compared_runs([(at, RunRecord.of(state, spec=spec)) for at, spec in enumerate(specs, 1)])
    (column,) = made.columns
    assert [row[0] for row in made.rows] == [
        "All features",
        f"All features, without {excluded}",
        "BSPSA",
        f"BSPSA, without {excluded}",
    ]
    sizes = [made.cells[row, column].entries[0].features for row in made.rows[:2]]
    assert sizes == [len(state.features), len(state.features) - 1]


def test_two_data_sets_of_one_table_are_not_two_tables_for_a_test_over_tables():
    entries = [
        replace(_tested(method, data, [0.1, 0.2 + at / 10, 0.3]), table="one")
        for data in ("one, grouped", "one, not grouped")
        for at, method in enumerate(("A", "B", "C"))
    ]
    assert verdicts(Comparison.of(entries)).ranking is None
    apart = [replace(entry, table="") for entry in entries]
    assert verdicts(Comparison.of(apart)).ranking is not None
