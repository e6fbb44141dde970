"""A time and an event are one outcome: recognised, asked about, and never silently a feature beside each other."""

import numpy as np
import pandas as pd
import pytest

from fsdesk import from_frame, read_table
from fsdesk.data import Choices, QuestionError, prepare, read
from fsdesk.data.outcomes import Named, named_outcome, outcome_pairs, parted, positive_class
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(0)
AGE, GENE = RNG.normal(60, 8, N).round(1), RNG.normal(size=N).round(3)
TIME, SEEN = RNG.exponential(20, N).round(2) + 0.01, (np.arange(N) % 3 > 0).astype(int)


def frame(time="time_months", event="event", codes=SEEN):
    return pd.DataFrame({"age": AGE, "gene": GENE, time: TIME, event: codes})


def written(tmp_path, **columns):
    path = tmp_path / "t.csv"
    frame(**columns).to_csv(path, index=False)
    return path


def outcome_question(error):
    return next(each for each in error.value.questions if each.kind in ("time to event", "event"))


@pytest.mark.parametrize("target", [None, "event", "time_months"])
def test_one_of_a_pair_as_target_is_asked_about_with_options_that_settle_it(tmp_path, target):
    path = written(tmp_path)
    with pytest.raises(QuestionError, match="neither can be a feature when the other is the target") as error:
        read_table(path, target)
    answers = {(each.option, each.value) for each in outcome_question(error).alternatives}
    other = "event" if target == "time_months" else "time_months"
    alone = "regression" if target == "time_months" else "classification"
    assert answers == {("target", "Surv(time_months, event=1)"), ("task", alone), ("keep", other)}


@pytest.mark.parametrize(
    ("asked", "task", "features"),
    [
        ({"target": "Surv(time_months, event=1)"}, "survival", ("age", "gene")),
        ({"target": "Surv(time_months, event == 1)"}, "survival", ("age", "gene")),
        ({"target": ("time_months", "event")}, "survival", ("age", "gene")),
        ({"target": "time_months", "event": "event"}, "survival", ("age", "gene")),
        ({"target": "event", "task": "classification"}, "classification", ("age", "gene")),
        ({"target": "time_months", "task": "regression"}, "regression", ("age", "gene")),
        ({"target": "event", "keep": "time_months"}, "classification", ("age", "gene", "time_months")),
        ({"target": "event", "ignore": ("time_months",)}, "classification", ("age", "gene")),
        ({"target": "event", "accept_reading": True}, "survival", ("age", "gene")),
        ({"target": "age"}, "regression", ("gene", "time_months", "event")),
    ],
)
def test_every_answer_settles_it_and_the_other_column_is_a_feature_where_that_is_said_alone(
    tmp_path, asked, task, features
):
    made = read_table(written(tmp_path), **asked)
    assert (made.task, made.features) == (task, features)


def test_times_are_negative_where_they_are_censored_and_targets_are_events(tmp_path):
    made = read_table(written(tmp_path), ("time_months", "event"))
    assert made.target.tolist() == SEEN.tolist()
    assert made.response.tolist() == np.where(SEEN == 1, TIME, -TIME).tolist()
    assert made.times.tolist() == TIME.tolist()
    assert (made.target_name, made.event, made.classes) == ("time_months", "event=1", ())
    (said,) = [check.sentence for check in made.checks if check.kind == "precision"]
    assert said.startswith(f"{SEEN.sum()} events (event=1) in 40 rows")
    assert made.fingerprint != read_table(written(tmp_path), "time_months", task="regression").fingerprint


@pytest.mark.parametrize(
    ("codes", "event"),
    [
        (np.where(SEEN, "dead", "alive"), "event=dead"),
        (np.where(SEEN, "1:DECEASED", "0:LIVING"), "event=1:DECEASED"),
        (SEEN.astype(bool), "event=TRUE"),
        (np.where(SEEN, "verstorben", "lebt"), "event=verstorben"),
    ],
)
def test_words_say_by_themselves_which_value_is_the_event(tmp_path, codes, event):
    made = read_table(written(tmp_path, codes=codes), ("time_months", "event"))
    assert made.event.casefold() == event.casefold()
    assert made.target.tolist() == SEEN.tolist()


@pytest.mark.parametrize(
    ("name", "codes", "first"),
    [("status", SEEN + 1, "2"), ("status", SEEN * 2, "2"), ("censored", 1 - SEEN, "1"), ("event", SEEN * 5 % 3, "2")],
)
def test_codes_that_leave_a_doubt_are_asked_about(tmp_path, name, codes, first):
    path = written(tmp_path, event=name, codes=codes)
    with pytest.raises(QuestionError) as error:
        read_table(path, ("time_months", name))
    question = outcome_question(error)
    assert question.alternatives[0].value == f"Surv(time_months, {name}={first})"
    for answer in question.alternatives:
        assert read_table(path, answer.value).event == parted(answer.value)[1]


def test_several_kinds_of_events_are_said_to_compete(tmp_path):
    made = read_table(written(tmp_path, codes=np.arange(N) % 3), ("time_months", "event=1"))
    assert any(check.kind == "competing events" for check in made.checks)
    assert made.target.sum() == (np.arange(N) % 3 == 1).sum()


@pytest.mark.parametrize(
    ("time", "event"),
    [
        ("OS.time", "OS"), ("OS_MONTHS", "OS_STATUS"), ("days_to_death", "vital_status"), ("time", "status"),
        ("lenfol", "fstat"), ("survival_months", "died"), ("rfs_days", "rfs"), ("t", "event"), ("time", "cens"),
        ("overall_survival_months", "overall_survival"), ("Überlebenszeit", "Tod"), ("followUpDays", "relapse"),
    ],
)  # fmt: skip
def test_pairs_are_known_by_their_names(tmp_path, time, event):
    table = read(written(tmp_path, time=time, event=event))
    assert [(table.columns[each.time], table.columns[each.event]) for each in outcome_pairs(table)] == [(time, event)]


@pytest.mark.parametrize(
    ("time", "event"), [("OS.time", "PFS"), ("age_years", "gender"), ("time", "species"), ("price", "status")]
)
def test_other_columns_are_no_pair(tmp_path, time, event):
    assert outcome_pairs(read(written(tmp_path, time=time, event=event))) == []


def test_two_endpoints_are_two_pairs(tmp_path):
    both = frame("OS.time", "OS").assign(**{"PFS.time": TIME / 2, "PFS": 1 - SEEN})
    both.to_csv(tmp_path / "t.csv", index=False)
    table = read(tmp_path / "t.csv")
    assert len(outcome_pairs(table)) == 2
    made = read_table(tmp_path / "t.csv", ("OS.time", "OS"))
    assert made.task == "survival"


def test_a_pair_that_is_not_the_last_column_is_asked_about_where_nobody_names_the_target(tmp_path):
    frame().assign(marker=GENE + 1.0)[["event", "time_months", "age", "marker"]].to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(QuestionError) as error:
        read_table(tmp_path / "t.csv")
    assert outcome_question(error).alternatives[0].value == "marker"
    assert read_table(tmp_path / "t.csv", "marker").target_name == "marker"


def test_a_frame_is_asked_about_too():
    with pytest.raises(QuestionError, match="accept_reading"):
        from_frame(frame())
    assert from_frame(frame(), ("time_months", "event")).task == "survival"
    with pytest.warns(UserWarning, match="excluded"):
        assert from_frame(frame(), task="classification").features == ("age", "gene")


def test_what_cannot_be_a_time_to_an_event_is_said(tmp_path):
    path = written(tmp_path)
    for target, sentence in (
        (("time_months", "sex"), 'no column "sex"'),
        (("time_months", "event=dead"), 'no value "dead"; its values are "0", "1"'),
        (("time_months", "time_months"), "both the time and the event"),
        ("Surv(months, event)", "does not name a column of times"),
        (("age", "time_months", "event"), "is not before the time"),
    ):
        with pytest.raises(DataError, match=sentence):
            read_table(path, target)
    frame().assign(time_months=np.where(np.arange(N) == 4, -3.0, TIME)).to_csv(path, index=False)
    with pytest.raises(DataError, match="negative in 1 rows, such as row 5"):
        read_table(path, ("time_months", "event"))
    words = frame().assign(time_months=["early", "late"] * (N // 2))
    words.to_csv(path, index=False)
    with pytest.raises(DataError, match="contains words"):
        read_table(path, ("time_months", "event"))


def test_rows_without_time_or_event_and_rows_censored_at_the_start_are_left_out_with_a_word(tmp_path):
    odd = frame()
    odd.loc[0, "time_months"], odd.loc[1, "event"] = np.nan, np.nan
    odd.loc[3, ["time_months", "event"]], odd.loc[4, ["time_months", "event"]] = (0.0, 0), (0.0, 1)
    odd.to_csv(tmp_path / "t.csv", index=False)
    made = read_table(tmp_path / "t.csv", ("time_months", "event=1"))
    assert len(made.target) == N - 3
    kinds = {check.kind for check in made.checks}
    assert {"missing target", "censored at 0"} <= kinds
    assert made.response[made.rows.index("5")] == 0.0
    assert made.target[made.rows.index("5")] == 1


def test_the_outcome_as_text_goes_there_and_back(tmp_path):
    table = read(written(tmp_path, time="months, all", event="event"))
    assert named_outcome(table, "Surv(months, all, event=1)") == Named("months, all", "event=1")
    assert named_outcome(table, "event") == Named("event")
    choices = Choices(target="months, all", event="event=1")
    assert prepare(table, choices.target, event=choices.event).task == "survival"


ENTRY = (TIME * RNG.random(N)).round(2)


def with_entry(time="tstop", entry="tstart"):
    return frame(time=time).assign(**{entry: ENTRY})


@pytest.mark.parametrize(
    "asked",
    [
        {"target": ("tstart", "tstop", "event")},
        {"target": "Surv(tstart, tstop, event)"},
        {"target": "Surv(tstart, tstop, event == 1)"},
        {"target": ("tstop", "event"), "entry": "tstart"},
        {"target": "tstop", "event": "event=1", "entry": "tstart"},
        {"target": "event", "accept_reading": True},
        {"target": "tstop", "accept_reading": True},
    ],
)
def test_a_time_of_entry_is_a_part_of_the_outcome(tmp_path, asked):
    with_entry().to_csv(tmp_path / "t.csv", index=False)
    made = read_table(tmp_path / "t.csv", **asked)
    assert (made.target_name, made.event, made.entry, made.features) == ("tstop", "event=1", "tstart", ("age", "gene"))
    assert made.response.tolist() == np.stack([np.where(SEEN == 1, TIME, -TIME), ENTRY], axis=1).tolist()
    assert (made.times.tolist(), made.is_late) == (TIME.tolist(), True)
    assert any(check.kind == "late entries" for check in made.checks)


def test_beside_a_plain_time_a_start_is_offered_second(tmp_path):
    with_entry(time="time").to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(QuestionError) as error:
        read_table(tmp_path / "t.csv", "event")
    said = [each.value for each in outcome_question(error).alternatives if each.option == "target"]
    assert said == ["Surv(time, event=1)", "Surv(tstart, time, event=1)"]


def test_wrong_times_of_entry_get_a_sentence(tmp_path):
    table = with_entry()
    table.loc[6, "tstart"] = table.loc[6, "tstop"]
    for asked, sentence in (
        ({"target": ("tstart", "tstop", "event")}, "in 1 rows, such as row 6"),
        ({"target": ("tstop", "tstop", "event")}, "two parts of the target"),
        ({"target": ("stage", "tstop", "event")}, "contains words"),
        ({"target": "age", "entry": "tstart"}, "name the event as well"),
    ):
        with pytest.raises(DataError, match=sentence):
            from_frame(table.assign(stage=["i", "ii"] * (N // 2)), **asked)


def test_intervals_of_the_same_patients_are_noticed():
    times = np.repeat(np.arange(1.0, 21.0), 2) + np.tile([0.0, 20.5], 20)
    starts = np.where(np.arange(N) % 2, np.repeat(np.arange(1.0, 21.0), 2), 0.0)
    table = pd.DataFrame({"x": GENE, "y": AGE, "start": starts, "stop": times, "event": np.arange(N) % 2})
    with pytest.warns(UserWarning, match="patient column as groups"):
        from_frame(table, ("start", "stop", "event"))
    made = from_frame(table.assign(id=np.arange(N) // 2), ("start", "stop", "event"), group="id")
    assert not any(check.kind == "intervals" for check in made.checks)


def cells(entry=False):
    ends = [f"{time}{'' if seen else '+'}" for time, seen in zip(TIME, SEEN, strict=True)]
    return [f"({first},{end}]" for first, end in zip(ENTRY, ends, strict=True)] if entry else ends


@pytest.mark.parametrize("entry", [False, True])
def test_a_column_as_r_writes_outcomes_is_one(tmp_path, entry):
    table = pd.DataFrame({"age": AGE, "gene": GENE, "os": cells(entry)})
    table.to_csv(tmp_path / "t.csv", index=False)
    made = read_table(tmp_path / "t.csv", "os")
    assert (made.target_name, made.event, made.entry, made.features) == ("os", "os=event", "", ("age", "gene"))
    signed = np.where(SEEN == 1, TIME, -TIME)
    assert made.response.tolist() == (np.stack([signed, ENTRY], axis=1) if entry else signed).tolist()
    assert any("R notation" in each.sentence and each.sure for each in made.readings)
    assert made.fingerprint == from_frame(table, "os", name="t").fingerprint
    assert made.fingerprint == from_frame(table, ("os", "os=event"), name="t").fingerprint


def test_classes_of_which_the_last_has_a_plus_stay_classes():
    table = pd.DataFrame({"x": GENE, "y": AGE, "children": np.where(np.arange(N) % 4 == 3, "3+", np.arange(N) % 4)})
    assert from_frame(table, "children").task == "classification"


def test_a_column_that_r_would_not_write_so_gets_a_sentence():
    table = pd.DataFrame({"x": GENE, "y": AGE, "os": ["12+", "late"] * (N // 2)})
    with pytest.raises(DataError, match="not in R notation"):
        from_frame(table, ("os", "os"))


def kinds_of(times, seen, features=2):
    table = pd.DataFrame(RNG.normal(size=(len(times), features))).assign(time=times, event=seen)
    return {check.kind for check in from_frame(table, ("time", "event")).checks}


def test_the_checks_say_what_is_odd_about_times():
    assert "few events a feature" in kinds_of(TIME, SEEN, features=5)
    assert "few events a feature" not in kinds_of(TIME, SEEN)
    assert "events at 0" in kinds_of(np.where((np.arange(N) == 1) & (SEEN == 1), 0.0, TIME), SEEN)
    assert "tied events" in kinds_of(np.ceil(TIME / 12), SEEN)
    assert "tied events" not in kinds_of(TIME, SEEN)
    assert "censored at the end" in kinds_of(np.minimum(TIME, 20.0), (TIME <= 20).astype(int))
    assert "censored at the end" not in kinds_of(TIME, SEEN)


@pytest.mark.parametrize(
    ("names", "sizes", "meant"),
    [
        (("no", "yes"), (70, 129), "yes"),
        (("0", "1"), (10, 90), "1"),
        (("control", "tumour"), (20, 60), "tumour"),
        (("Healthy", "sepsis"), (20, 60), "sepsis"),
        (("setosa", "virginica"), (20, 60), "setosa"),  # neither name says it: the rarer one
        (("a", "b"), (30, 30), "b"),
        (("low", "middle", "high"), (30, 10, 20), "middle"),
    ],
)
def test_the_class_that_sensitivity_refers_to_is_what_its_name_says_or_the_rarest(names, sizes, meant):
    assert names[positive_class(names, sizes)] == meant
