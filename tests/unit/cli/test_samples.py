"""Samples by their names without the window."""

from fsdesk.cli import invoke


def test_the_command_line_runs_a_sample_and_names_the_others(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", "sample:wine", "--method", "full", "--set", "repeats=1"]) == 0
    assert "malic_acid" in (tmp_path / "sample-wine-full" / "mask.csv").read_text(encoding="utf-8")
    assert "note: 178 rows, 3 classes (48 in the smallest)" in capsys.readouterr().err
    assert (
        invoke(["run", "sample:wine", "--target", "alcohol", "--method", "full", "--set", "repeats=1", "--out", "n"])
        == 0
    )
    assert invoke(["run", "sample:iris"]) == 2
    assert 'choose one of: "breast_cancer", "wine", "digits", "waveform", "genes"' in capsys.readouterr().err
