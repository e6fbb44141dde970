"""Columns of dates: numbers of days since the first one, in every format; asked where the day may be the month."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fsdesk import from_frame
from fsdesk.data import QuestionError, ReadOptions, Table, as_learned, prepare, questions, read, read_table
from fsdesk.data.dates import date_text, day_origins
from fsdesk.errors import DataError
from tests.unit.data.test_reading import written

N = 30
RNG = np.random.default_rng(3)
VALUES = RNG.normal(size=(N, 2)).round(3).tolist()
KIND = ["ill" if row % 3 else "well" for row in range(N)]
START = datetime.date(2020, 2, 3)
DAYS = RNG.permutation(N).tolist()
DATES = [START + datetime.timedelta(days=11 * day) for day in DAYS]


def csv(dates: list[str], name: str = "visit", *, last: bool = False) -> str:
    rows = []
    for date, (a, b), kind in zip(dates, VALUES, KIND, strict=True):
        rows.append(f"{a},{b},{kind},{date}" if last else f"{a},{date},{b},{kind}")
    return "\n".join([f"a,b,kind,{name}" if last else f"a,{name},b,kind", *rows]) + "\n"


def days(table: Table, name: str = "visit") -> list[float]:
    return table.values[:, table.columns.index(name)].tolist()


def decision(table: Table) -> Any:
    return next(each for each in table.readings if each.kind == "dates")


@pytest.mark.parametrize(
    "form",
    ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%y", "%d-%b-%Y", "%b %d %Y", "%Y/%m/%d", "%Y%m%d", "%Y-%m-%dT00:00:00"],
)
def test_dates_are_days_since_the_first_one_and_that_is_said(tmp_path: Path, form: str) -> None:
    table = read(written(tmp_path, csv([date.strftime(form) for date in DATES])))
    assert days(table) == [11.0 * day for day in DAYS]
    assert table.descriptions["visit"] == "days since 2020-02-03"
    assert decision(table).sentence == 'Column "visit" contains dates, converted to days since 2020-02-03.'
    assert [answer.value for answer in decision(table).alternatives] == ["visit=date", "visit=category"]
    assert questions(table.readings, "kind", named=False) == ()
    dataset = prepare(table)
    assert "visit" in dataset.features
    assert not dataset.categories
    assert [check.columns for check in dataset.checks if check.kind == "dates"] == [("visit",)]


def test_hours_are_parts_of_a_day(tmp_path: Path) -> None:
    stamps = [
        f"{date.isoformat()} 18:00" if place % 2 else f"{date.isoformat()} 06:00" for place, date in enumerate(DATES)
    ]
    assert days(read(written(tmp_path, csv(stamps)))) == [
        11 * day + (0.75 if place % 2 else 0.25) for place, day in enumerate(DAYS)
    ]


@pytest.mark.parametrize("absent", ["", "NA", "unknown", "n.d."])
def test_a_day_that_is_not_known_is_missing(tmp_path: Path, absent: str) -> None:
    found = days(read(written(tmp_path, csv([absent, *(date.isoformat() for date in DATES[1:])]))))
    assert np.isnan(found[0])
    assert found[1:] == [11.0 * (day - min(DAYS[1:])) for day in DAYS[1:]]


@pytest.mark.parametrize("words", ["2020-{:02d}-03 A", "{}-B-12", "10.1.{}.7", "ward {}"])
def test_what_only_looks_like_a_date_stays_text(tmp_path: Path, words: str) -> None:
    table = read(written(tmp_path, csv([words.format(place % 12 + 1) for place in range(N)])))
    assert 1 in table.categories
    assert not [each for each in table.readings if each.kind == "dates"]


def test_numbers_beside_those_that_could_be_dates_stay_numbers(tmp_path: Path) -> None:
    numbers = [20200101 + 37 * place for place in range(N)]  # 20200138 is no day
    assert days(read(written(tmp_path, csv(list(map(str, numbers)))))) == numbers


def test_a_category_of_dates_is_one_where_the_user_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, csv([date.isoformat() for date in DATES]))
    table = read(path, ReadOptions(types="visit=category"))
    assert table.categories[1] == tuple(sorted(date.isoformat() for date in DATES))


AMBIGUOUS = [f"{place % 12 + 1:02d}/{(5 * place) % 12 + 1:02d}/2021" for place in range(N)]


def test_the_day_or_the_month_first_is_asked_and_settled(tmp_path: Path) -> None:
    path = written(tmp_path, csv(AMBIGUOUS))
    with pytest.raises(QuestionError) as error:
        read_table(path)
    (question,) = error.value.questions
    assert [answer.value for answer in question.alternatives] == [
        "visit=date, day first", "visit=date, month first", "visit=category"
    ]  # fmt: skip
    for answer, form in zip(question.alternatives, ("%d/%m/%Y", "%m/%d/%Y"), strict=False):
        dataset = read_table(path, types=answer.value)
        dates = [datetime.datetime.strptime(text, form) for text in AMBIGUOUS]
        assert dataset.x[:, 1].tolist() == [(date - min(dates)).days for date in dates]


def test_another_column_of_the_file_shows_which_is_first(tmp_path: Path) -> None:
    clear = [date.strftime("%m/%d/%Y") for date in DATES]
    text = "".join(
        f"{line},{other}\n" for line, other in zip(csv(AMBIGUOUS).splitlines(), ["seen", *clear], strict=True)
    )
    table = read(written(tmp_path, text))
    dates = [datetime.datetime.strptime(text, "%m/%d/%Y") for text in AMBIGUOUS]
    assert days(table) == [(date - min(dates)).days for date in dates]
    assert not questions(table.readings, "kind", named=True)


def test_a_date_as_the_target_is_asked(tmp_path: Path) -> None:
    path = written(tmp_path, csv([date.isoformat() for date in DATES], "died", last=True))
    with pytest.raises(QuestionError, match='"died" contains dates, converted to days since 2020-02-03'):
        read_table(path)
    dataset = read_table(path, types="died=date")
    assert dataset.response is not None
    assert dataset.response.tolist() == [11.0 * day for day in DAYS]
    assert read_table(path, "kind").classes == ("ill", "well")


def test_days_of_another_table_count_from_the_same_day(tmp_path: Path) -> None:
    first = read_table(written(tmp_path, csv([date.strftime("%d/%m/%Y") for date in DATES])))
    later = csv(["01/03/2020", "02/03/2020", *["05/03/2020"] * (N - 2)])  # by themselves, these might be of January
    table = read(written(tmp_path, later, "later.csv"), as_learned(first))
    assert days(table)[:3] == [27.0, 28.0, 31.0]
    numbers = read(written(tmp_path, csv(["27"] * N), "days.csv"), as_learned(first))
    assert days(numbers) == [27.0] * N


def test_what_is_no_date_where_the_first_table_had_some_is_named(tmp_path: Path) -> None:
    first = read_table(written(tmp_path, csv([date.isoformat() for date in DATES])))
    text = csv(["2020-05-06", "spring", *["2020-05-07"] * (N - 2)])
    with pytest.raises(DataError, match='"visit" is set to dates, but row 2 contains "spring"'):
        read(written(tmp_path, text, "later.csv"), as_learned(first))


def test_dates_in_the_first_column_are_the_time_and_no_ids(tmp_path: Path) -> None:
    lines = [f"{date.isoformat()},{a},{b},{kind}" for date, (a, b), kind in zip(DATES, VALUES, KIND, strict=True)]
    table = read(written(tmp_path, "\n".join(["day,a,b,kind", *lines])))
    assert table.rows == tuple(map(str, range(1, N + 1)))
    assert prepare(table, time="day").time.tolist() == DAYS
    nameless = read(written(tmp_path, "\n".join([",a,b,kind", *lines])))
    assert nameless.rows[0] == DATES[0].isoformat()


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".xlsx"])
def test_formats_with_dates_of_their_own(tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame({"a": [a for a, _ in VALUES], "visit": pd.to_datetime(DATES), "kind": KIND})
    path = tmp_path / f"t{suffix}"
    {".parquet": frame.to_parquet, ".feather": frame.to_feather}.get(suffix, lambda to: sheet(frame, to))(path)
    assert days(read(path)) == [11.0 * day for day in DAYS]


def sheet(frame: pd.DataFrame, path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(path, {"default_date_format": "dd.mm.yyyy"}) as book:
        made = book.add_worksheet()
        made.write_row(0, 0, list(frame))
        for place, row in enumerate(frame.itertuples(index=False), 1):
            made.write_row(place, 0, [row.a, row.visit.to_pydatetime(), row.kind])


def test_types_that_the_user_says_hold_in_every_format(tmp_path: Path) -> None:
    frame = pd.DataFrame({"dose": [1, 2, 3] * 10, "code": ["01", "7", "3"] * 10, "b": range(N), "kind": KIND})
    frame.to_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet", ReadOptions(types="dose=category; code=number"))
    assert table.categories[0] == ("1", "2", "3")
    assert table.values[:3, 1].tolist() == [1, 7, 3]
    with pytest.raises(DataError, match='"kind" is set to numbers, but row 1 contains "well"'):
        read(tmp_path / "t.parquet", ReadOptions(types="kind=number"))


def test_dates_of_a_frame_are_days_with_a_warning_and_doubtful_ones_text() -> None:
    frame = pd.DataFrame(VALUES, columns=["a", "b"]).assign(when=pd.to_datetime(DATES), kind=KIND)
    with pytest.warns(UserWarning, match='1 column contains dates: "when"'):
        dataset = from_frame(frame)
    assert dataset.x[:, 2].tolist() == [11.0 * day for day in DAYS]
    lasted = frame.assign(when=pd.to_timedelta(DAYS, unit="h"))
    assert from_frame(lasted).x[:, 2].tolist() == pytest.approx([day / 24 for day in DAYS])
    with pytest.warns(UserWarning, match='"when" may have the day or the month first'):
        dataset = from_frame(frame.assign(when=AMBIGUOUS))
    assert "when" in {name for check in dataset.checks for name in check.columns}


def test_days_are_written_as_the_dates_that_they_were(tmp_path):
    rows = "\n".join(f"{i},{i + 1:02d}.03.2024,{'ab'[i % 2]}" for i in range(20))
    (tmp_path / "t.csv").write_text(f"x,seen,class\n{rows}\n")
    table = read(tmp_path / "t.csv")
    assert day_origins(table) == {"seen": "2024-03-01"}
    shown = [date_text(days, "2024-03-01") for days in (0.0, 30.0, 1.5)]
    assert shown == ["2024-03-01", "2024-03-31", "2024-03-02 12:00"]
