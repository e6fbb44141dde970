"""What people do with the window, from its start: keys and clicks on the real program, with a picture of each step.

The pictures are in the folder that FSDESK_SCREENSHOTS names, else in ``.screenshots`` beside this file.
"""

from pathlib import Path

import numpy as np
import pytest

from .person import Person

pytestmark = pytest.mark.timeout(900)  # each wait has a limit of its own

LONG = '[run]\nmethod = "bspsa"\n[method]\nmax_iterations = 300000\nstall_limit = 300000\n'


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """60 patients and five genes; gene 2 and gene 5 tell who is ill."""
    rng = np.random.default_rng(1)
    ill = np.arange(60) % 2
    genes = rng.normal(size=(60, 5))
    genes[:, 1] += 2 * ill
    genes[:, 4] -= 2 * ill
    lines = [",".join([*(f"gene{place}" for place in range(1, 6)), "outcome"])]
    for values, is_ill in zip(genes, ill, strict=True):
        lines.append(",".join([*(f"{value:.4f}" for value in values), "ill" if is_ill else "well"]))
    return written(tmp_path / "patients.csv", "\n".join(lines) + "\n")


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def opens(person: Person, path: Path) -> None:
    person.presses("ctrl+o")
    person.sees("Open a table or a project")
    person.types(path)
    person.presses("Return")


def starts_a_long_run(person: Person, patients: Path) -> None:
    person.starts(patients)
    person.can_use("runButton")
    opens(person, written(patients.with_name("long.toml"), LONG))
    person.sees("At most 900,001 measurements")
    person.presses("F5")
    measured(person)


def measured(person: Person) -> int:
    """Read how many measurements the run that is shown has; wait for some hundred."""
    said = person.sees(r"^Measurements: \d?\d?\d?,?\d{3} of 900,001")
    return int(said.split()[1].replace(",", ""))


def test_a_first_result_takes_six_actions(person: Person, patients: Path) -> None:
    """From the start to the exported list by keyboard alone, on a computer where fsdesk was never started."""
    person.starts(new=True)
    person.sees("Start with a table")

    person.presses("ctrl+o")
    person.sees("Open a table or a project")
    person.types(patients)
    person.presses("Return")
    person.can_use("runButton")

    person.presses("F5")
    person.sees("^finished")
    person.sees("Error on held-out rows: [0-9.]+ %")

    person.presses("ctrl+e")
    person.sees("Export results")
    person.presses("Return")

    selected = person.finds_file(patients.parent / "patients results" / "selected.txt").split()
    print(f"\nfirst result: {person.actions} actions, {person.seconds:.0f} s from the start to the exported list")
    person.sees("Written to")
    assert {"gene2", "gene5"} <= set(selected)
    assert person.actions <= 6


def test_a_killed_window_loses_nothing_and_the_next_one_offers_to_go_on(person: Person, patients: Path) -> None:
    starts_a_long_run(person, patients)
    before = measured(person)
    person.kills_the_program()

    person.starts()
    person.sees('fsdesk closed unexpectedly while working on "patients')
    person.sees("of at most 900,001 measurements")
    person.clicks("Resume")
    person.sees("^running")
    assert measured(person) >= before

    person.presses("F7")
    person.sees("^stopped")


def test_wrong_files_are_told_in_a_sentence_and_what_is_odd_about_the_right_one_is_put_right_with_a_click(
    person: Person, patients: Path
) -> None:
    person.starts()
    person.sees("Open a table or project")
    wrong = {
        written(patients.with_name("empty.csv"), ""): "empty.csv.*empty",
        written(patients.with_name("words.fsdesk"), "no project"): "words.fsdesk",
        written(patients.with_name("picture.png"), "no table"): "picture.png",
    }
    for path, sentence in wrong.items():
        opens(person, path)
        person.sees(sentence)

    head, *rows = patients.read_text().splitlines()
    rows[4] = rows[4].partition(",")[2]  # its first gene was not measured
    rows = [f"1,{row}" if place != 4 else f"1,,{row}" for place, row in enumerate(rows)]
    opens(person, written(patients.with_name("odd.csv"), "\n".join([f"site,{head}", *rows]) + "\n"))
    person.sees("60 rows · 6 features")
    person.sees_no("picture.png")
    person.sees("1 value is missing")
    person.clicks("Exclude it")
    person.sees("60 rows · 5 features")

    person.clicks("Drop rows")
    person.sees("59 rows · 5 features")
    person.presses("ctrl+z")
    person.sees("60 rows · 5 features")
