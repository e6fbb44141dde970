"""A table of descriptions is joined to features by name, and says how many it found."""

import pytest

from fsdesk.data.annotations import Annotations, joined, read_descriptions
from fsdesk.errors import DataError

GENES = ("BRCA1", "TP53", "MYC")


@pytest.fixture
def described(tmp_path):
    path = tmp_path / "genes.tsv"
    path.write_text(
        "probe\tsymbol\tdescription\np1\tTP53\ttumour protein, 53\np2\tbrca1\tDNA repair\np3\tTP53\ttwice\n"
    )
    return read_descriptions(path)


def test_the_column_that_finds_most_is_the_one_that_is_joined(described):
    known, found = joined(described, GENES)
    assert found == {"probe": 0, "symbol": 2, "description": 0}
    assert (known.join, known.columns) == ("symbol", ("probe", "description"))
    assert known.cells("TP53") == ("p1", "tumour protein, 53")  # the first of two rows
    assert known.cells("BRCA1") == ("p2", "DNA repair")  # whatever the case
    assert known.cells("MYC") == ("", "")


def test_the_column_can_be_chosen(described):
    known, _ = joined(described, ("p3", "p1"), "probe")
    assert known.cells("p3") == ("TP53", "twice")


def test_notes_outlive_other_descriptions_and_blank_ones_go(described):
    known = joined(described, GENES)[0].noted("lung", "MYC", " look\nhere ")
    lung = known.of_table("lung")
    assert lung.titles == ("probe", "description", "note")
    assert lung.cells("MYC") == ("", "", "look here")
    assert known.described(Annotations()).of_table("lung").titles == ("note",)
    assert not known.noted("lung", "MYC", " ").of_table("lung").notes


def test_a_note_belongs_to_the_feature_of_one_table():
    known = Annotations().noted("lung", "MYC", "high").noted("colon", "MYC", "low").noted("colon", "TP53", "lost")
    assert known.of_table("lung").notes == {"MYC": "high"}
    assert known.of_table("colon").notes == {"MYC": "low", "TP53": "lost"}
    assert not known.of_table("skin").notes


def test_notes_of_versions_that_knew_no_tables_count_for_each_until_they_are_written_anew():
    kept = {"source": "", "join": "", "columns": [], "texts": {}, "notes": {"MYC": "high", "TP53": "lost"}}
    known = Annotations.unpacked(kept).noted("colon", "MYC", "low").noted("colon", "TP53", "")
    assert known.of_table("lung").notes == {"MYC": "high", "TP53": "lost"}
    assert known.of_table("colon").notes == {"MYC": "low"}
    assert Annotations.unpacked(known.packed()) == known
    assert "tables" not in known.of_table("colon").packed()  # as a bundle has it


def test_a_project_keeps_all_of_it(described):
    known = joined(described, GENES)[0].noted("lung", "MYC", "a")
    assert Annotations.unpacked(known.packed()) == known
    assert Annotations.unpacked(None) == Annotations()


def test_a_spreadsheet_is_read_too(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    book = xlsxwriter.Workbook(str(tmp_path / "genes.xlsx"))
    sheet = book.add_worksheet()
    for place, row in enumerate([["gene", "what"], ["MYC", "=a factor"]]):
        for column, text in enumerate(row):
            sheet.write_string(place, column, text)
    book.close()
    known, _ = joined(read_descriptions(tmp_path / "genes.xlsx"), GENES)
    assert known.cells("MYC") == ("=a factor",)


@pytest.mark.parametrize("content", ["only\none\ncolumn\n", "a,b\n", ",".join(map(str, range(70))) + "\n" + "1," * 69])
def test_what_is_no_table_of_descriptions_is_refused_in_a_sentence(tmp_path, content):
    (tmp_path / "odd.csv").write_text(content)
    with pytest.raises(DataError, match=r"odd\.csv"):
        read_descriptions(tmp_path / "odd.csv")
