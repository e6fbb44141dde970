import pytest

from fsdesk.cli.options import from_list, from_subset, from_words
from fsdesk.errors import DataError, SettingsError


def test_names_with_commas_stand_in_double_quotes():
    assert from_list('"weight, kg",height') == ("weight, kg", "height")
    assert from_list("a, b,c") == ("a", "b", "c")


def test_a_group_needs_two_names():
    for text in ("a", "", "a,", '"a,b"'):
        with pytest.raises(SettingsError, match="no two features"):
            from_list(text)


def test_a_value_may_hold_an_equals_sign():
    assert from_words(["parameters=alpha=0.5, tol=1"]) == {"parameters": "alpha=0.5, tol=1"}


def test_a_subset_is_read_from_a_mask_or_a_list_whatever_its_names(tmp_path):
    mask, listed = tmp_path / "mask.csv", tmp_path / "selected.txt"
    mask.write_text('feature,selected,weight,frequency\n"a, b",1,0.9,0.5\nc,0,0.1,0.5\nd,1,0.7,0.2\n')
    listed.write_text("a, b\nd\n")
    assert from_subset(mask) == from_subset(listed) == ("a, b", "d")
    assert from_subset(None) == ()


def test_a_mask_without_features_is_refused(tmp_path):
    mask = tmp_path / "mask.csv"
    mask.write_text("feature,selected\nc,0\n")
    with pytest.raises(DataError, match="names no feature"):
        from_subset(mask)
