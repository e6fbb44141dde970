"""The content of result.json, declared once: its JSON schema, the table in the documentation, and the tests."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from fsdesk.results.held_out_error import Verdict

Interval = tuple[float, float]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Estimated(_Part):
    """A value with the limits of its 95 % interval; null if unknown or infinite."""

    value: float | None
    low: float | None
    high: float | None


class Counts(_Part):
    """Held-out rows, or fractions of them if a row was predicted several times, by truth and prediction."""

    true_positive: float
    false_positive: float
    false_negative: float
    true_negative: float


class DecisionPart(_Part):
    """Cut-off, rates and calibration on held-out rows; likelihood ratios are positive_ratio and negative_ratio."""

    positive: str
    rule: str
    rule_value: float | None
    prevalence: float | None
    rows: int
    groups: int
    positives: float
    cut_off: float | None
    counts: Counts
    auc: Estimated
    sensitivity: Estimated
    specificity: Estimated
    positive_ratio: Estimated
    negative_ratio: Estimated
    positive_value: Estimated
    negative_value: Estimated
    calibration_slope: Estimated
    calibration_intercept: Estimated
    time: float | None = Field(None, description="Of times to an event, the time by which it is asked.")
    censored: int | None = Field(None, description="Rows that are censored before that time.")


class NumbersPart(_Part):
    """Regression: explained variance and root mean squared error, and the error of predicting the mean."""

    r2: Estimated
    rmse: Estimated
    rmse_of_mean: float | None
    rows: int


class SurvivalPart(_Part):
    """Times to an event: integrated Brier score, that of the survival curve of all rows, and the last time."""

    brier: Estimated
    brier_of_curve: float
    until: float


class ExternalPart(_Part):
    """The result on another table."""

    table: str
    rows: int
    rows_learned_from: int = Field(description="Rows of it that the answer was learned from.")
    error: float | None
    interval: Interval | None
    all_features_error: float | None
    verdict: Verdict
    decision: dict[str, Any] | None = None


class ShownPart(_Part):
    """Errors in the familiar unit of the criterion, such as the AUC instead of 1 minus the AUC."""

    name: str
    direction: Literal["lower", "higher"]
    honest: float | None
    search: float | None
    all_features: float | None
    text: str = Field(description="The sentence that the window shows first, in English.")


class FinalistPart(_Part):
    """One of the finalists."""

    n_selected: int
    error: float | None
    std_error: float | None
    shown: float | None
    answer: bool
    selected: list[str]


class DataPart(_Part):
    """The data of the run."""

    name: str
    source: str
    rows: int
    features: int
    target: str
    task: Literal["classification", "regression", "survival"]
    classes: dict[str, int] = Field(description="Rows of each class; empty where numbers or times are predicted.")
    sha256: str = Field(description="Of all values, names and classes.")


class ResultFile(_Part):
    """result.json of a run: errors are losses as the search minimises them, as fractions.

    Intervals are 95 % intervals.
    """

    status: Literal["new", "running", "stopped", "finished", "failed"]
    reason: str = Field(description="Why the search ended, or why this subset is the answer.")
    steering: list[dict[str, Any]] = Field(description="What the user changed while it ran.")
    criterion: str = Field(description="Name of the criterion, as in fsdesk criteria.")
    honest_error: float | None = Field(description="Held-out error of the answer, null where no rows were held out.")
    honest_interval: Interval | None
    honest_difference: float | None = Field(description="To all features, positive where the answer is better.")
    honest_difference_interval: Interval | None
    honest_verdict: Verdict | None = Field(description="The answer beside all features.")
    honest_rows: int | None = Field(description="Held-out rows.")
    honest_source: str | None = Field(description="How they were held out.")
    all_features_honest_error: float | None = Field(description="Held-out error of all features.")
    chance_error: float | None = Field(description="Held-out error of a guess that knows no features.")
    chance_difference: float | None
    chance_difference_interval: Interval | None
    association_p: float | None = Field(description="Permutation test of the held-out predictions.")
    simple_model: str | None = Field(description="The simple model beside the answer.")
    simple_features: int | None
    simple_model_error: float | None
    simple_model_difference: float | None
    simple_model_difference_interval: Interval | None
    covariates: int | None = Field(description="How many features are always in.")
    covariates_error: float | None = Field(description="Held-out error of these alone.")
    covariates_difference: float | None
    covariates_difference_interval: Interval | None
    best_list_model: str | None = Field(None, description="The model of the best list, if the answer is all features.")
    best_list_features: int | None = None
    best_list_error: float | None = None
    best_list_difference: float | None = None
    best_list_difference_interval: Interval | None = None
    search_error: float | None = Field(description="What the search saw of the answer: optimistic.")
    fresh_error: float | None = Field(None, description="On new folds of the same rows, where that was measured.")
    permutation_p: float | None = Field(description="Of the same run on shuffled targets; null without these.")
    permutation_errors: list[float] | None
    permutation_source: str | None
    stability: float | None = Field(description="Of lists of new samples, by half-samples.")
    stability_interval: Interval | None
    stability_source: str | None
    associated: list[str] = Field(description="Features that go with the target by themselves.")
    supported: list[str] = Field(description="Features that half-samples find again.")
    supported_expected_false: float | None = Field(description="How many of these are false, at the most expected.")
    agreement: float | None = Field(description="Of the selections of outer folds or resamples.")
    agreement_source: str | None
    consensus: list[str] | None = Field(description="Features that half of these selections hold.")
    decision: DecisionPart | None = Field(None, description="Of classes and of times to an event.")
    numbers: NumbersPart | None = Field(None, description="Of numbers.")
    survival: SurvivalPart | None = Field(None, description="Of times to an event.")
    external_validations: list[ExternalPart] | None = Field(None, description="Of the answer on other tables.")
    all_features_error: float | None = Field(description="What the search saw of all features.")
    shown: ShownPart
    n_selected: int
    selected: list[str] = Field(description="Names of the selected features, in the order of the table.")
    finalists: list[FinalistPart]
    evaluations: int = Field(description="Measurements that were taken.")
    iterations: int
    data: DataPart
    spec: dict[str, Any] = Field(description="All that determines the run: method, model, settings, seed, versions.")


def schema() -> dict[str, Any]:
    """The JSON schema of result.json, draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "result.json of fsdesk",
        **{name: value for name, value in ResultFile.model_json_schema().items() if name != "title"},
    }


def schema_text() -> str:
    """The schema as a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def field_table() -> str:
    """The fields as a Markdown table: name, type, meaning."""
    declared = schema()
    lines = ["| field | kind | what |", "| --- | --- | --- |"]
    for name, about in declared["properties"].items():
        lines.append(f"| `{name}` | {_kind(about)} | {about.get('description', '')} |")
    return "\n".join(lines) + "\n"


def _kind(about: dict[str, Any]) -> str:
    if "anyOf" in about:
        kinds = [_kind(each) for each in about["anyOf"] if each.get("type") != "null"]
        return " or ".join([*kinds, "null"]) if len(kinds) < len(about["anyOf"]) else " or ".join(kinds)
    if "$ref" in about:
        return str(about["$ref"]).rpartition("/")[2].removesuffix("Part").lower()
    if "enum" in about:
        return ", ".join(f"`{each}`" for each in about["enum"])
    if "prefixItems" in about:
        return "two numbers"
    kind = str(about.get("type", "anything"))
    return f"list of {_kind(about['items'])}" if kind == "array" and about.get("items") else kind
