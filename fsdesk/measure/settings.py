"""How a mask is measured: the validation settings, with the paper's values as defaults."""

from typing import Literal

from fsdesk.measure.criteria import CRITERIA
from fsdesk.settings import Settings, setting


class MeasureSettings(Settings):
    """Repeated stratified k-fold cross-validation (paper, section Performance Criterion), and the alternatives."""

    criterion: Literal[
        "auto",
        "error",
        "balanced error",
        "cost",
        "auc",
        "auc one-vs-one",
        "log loss",
        "f1",
        "mcc",
        "rmse",
        "mae",
        "r2",
        "concordance",
        "uno",
        "auc at a time",
        "brier",
    ] = setting(
        "auto",
        title="Criterion",
        help="What the search optimizes; the default is the share of rows predicted incorrectly, RMSE for "
        "numbers, or concordance for event times.",
        source="paper, section Performance Criterion: error",
        choices={"auto": "Default: error, RMSE or concordance", **{each.name: each.title for each in CRITERIA}},
    )
    protocol: Literal["folds", "hold-out", "leave-one-out", "column", "batches", "time"] = setting(
        "folds",
        title="Validation",
        help="How rows are held out from training for prediction; rows of one group always stay together.",
        source="paper: cross-validation",
        choices={
            "folds": "Cross-validation",
            "hold-out": "Hold-out, repeated",
            "leave-one-out": "Leave-one-out",
            "column": "Folds from a column",
            "batches": "Leave-one-batch-out",
            "time": "Forward in time",
        },
    )
    repeats: int = setting(
        10,
        title="Repeats",
        help="Number of times the validation is repeated on new random folds; more repeats reduce noise but take "
        "longer.",
        source="paper: 10 repeats",
        ge=1,
        le=1000,
    )
    folds: int = setting(
        5,
        title="Folds",
        help="Number of parts the rows are divided into; each part is predicted by a model trained on the others.",
        source="paper: 5 folds",
        ge=2,
        le=1000,
    )
    scaling: Literal["fold", "once", "none"] = setting(
        "fold",
        title="Scaling",
        help="Scales all features to the same spread. Doing so within each training fold is unbiased; scaling "
        "once over all rows is faster but leaks a little information from the test rows.",
        source="the authors standardize inside each training fold",
        choices={
            "fold": "Within each training fold",
            "once": "Once, over all rows (faster)",
            "none": "None: use raw values",
        },
    )
    scaler: Literal["z-score", "min-max", "robust", "pareto"] = setting(
        "z-score",
        title="Scale",
        help="Measure of spread of a feature; Pareto scaling uses the square root of the standard deviation, so "
        "that large peaks in spectra keep more weight.",
        source="paper: standardized features; Pareto: van den Berg et al. 2006",
        level="all",
        choices={
            "z-score": "Standard deviation (autoscale)",
            "min-max": "Range",
            "robust": "Interquartile range",
            "pareto": "Square root of the standard deviation (Pareto)",
        },
    )
    imputation: Literal["usual", "half minimum", "neighbours"] = setting(
        "usual",
        title="Missing values",
        help="How missing numbers are imputed from the training rows: by the median; by half the smallest value, "
        "if values are missing because they are below a limit of detection; or by the mean of the nearest "
        "rows, using all features.",
        source="median: independent of the other features",
        level="all",
        choices={
            "usual": "Median",
            "half minimum": "Half the minimum (below detection)",
            "neighbours": "Nearest rows",
        },
        younger=True,
    )
    imputation_rows: int = setting(
        5,
        title="Rows used for imputation",
        help="Number of nearest rows whose mean replaces a missing value.",
        source="default of scikit-learn's KNNImputer",
        ge=1,
        le=1000,
        level="all",
        younger=True,
    )
    normalise: Literal["none", "quotient"] = setting(
        "none",
        title="Normalize rows",
        help="Divides each row by its concentration relative to the median of the training rows, to correct for "
        "dilution, for example of urine; uses all features, selected or not.",
        source="none; quotients: Dieterle et al. 2006",
        level="all",
        choices={"none": "No", "quotient": "Probabilistic quotients (PQN)"},
        younger=True,
    )
    transform: Literal["none", "log", "quantile", "normal scores"] = setting(
        "none",
        title="Transform",
        help="Transforms the values of each feature before scaling; quantiles and normal scores are estimated "
        "from the training rows.",
        source="none; amounts and intensities are usually log-transformed",
        level="all",
        choices={
            "none": "None",
            "log": "Logarithm",
            "quantile": "Quantiles",
            "normal scores": "Normal scores of ranks",
        },
        younger=True,
    )
    offset: float = setting(
        0.0,
        title="Added before the logarithm",
        help="For example 1 for counts, because zero has no logarithm; values that are still not positive are "
        "rejected.",
        source="0: nothing is added",
        ge=0,
        le=1e12,
        level="all",
        younger=True,
    )
    batch: str = setting(
        "",
        title="Batch column",
        help="The feature that identifies the batch of a row, such as its plate or hospital; it is never selected.",
        source="none is named",
        level="all",
        younger=True,
    )
    centre_batches: bool = setting(
        False,
        title="Center batches",
        help="Removes differences between batches in the training rows beyond those explained by class; rows of a "
        "batch without training rows are unchanged.",
        source="off; as limma's removeBatchEffect, estimated from training rows only",
        level="all",
        younger=True,
    )
    blocks: str = setting(
        "",
        title="Blocks of features",
        help='Groups of features that the report summarizes, such as "clinical = age, stage; RNA = rna_*".',
        source="none",
        level="all",
        younger=True,
    )
    stratify: bool = setting(
        True,
        title="Stratified folds",
        help="Gives every fold the same class proportions.",
        source="usual practice; it hardly changes the mean error and lowers its noise",
        level="all",
    )
    test_share: float = setting(
        0.25,
        title="Test share",
        help="Share of the rows tested in each repeat of hold-out validation.",
        source="usual practice",
        gt=0,
        lt=1,
        level="all",
    )
    std_error_limit: float = setting(
        0.0,
        title="Stop repeating when the standard error is below",
        zero="off",
        help="Stops repeating a measurement once its standard error is below this value; 0 takes all repeats.",
        source="off: as in the paper, all repeats are used",
        ge=0,
        le=1e9,
        level="all",
    )
    size_penalty: float = setting(
        0.0,
        title="Penalty on size",
        zero="none",
        help="Adds this value times the share of features used to the loss, which favors smaller subsets; 0 adds "
        "nothing.",
        source="off: the paper minimizes the error alone",
        ge=0,
        le=1e6,
        level="all",
    )
    costs: str = setting(
        "",
        title="Misclassification costs",
        help='For the mean cost, such as "ill > healthy = 5": the cost of predicting the second class for the first.',
        source="1 for each error",
        level="all",
    )
    horizon: float = setting(
        0.0,
        title="Time horizon",
        zero="default",
        help="Time for AUC at a time; upper limit for the Brier score. Defaults: the median event time, and the "
        "time that a tenth of the rows exceed.",
        source="a time in the unit of the target, such as 60 months",
        ge=0,
        le=1e12,
        level="all",
    )
    positive: str = setting(
        "",
        title="Positive class",
        help="Positive class for cut-offs in the report and for two-class F1; by default the class whose "
        "name says so, such as yes, case or 1, otherwise the rarest class.",
        source="usual practice",
        level="all",
    )

    @property
    def reshuffles(self) -> bool:
        """Whether each measurement has its own random folds; otherwise no folds remain that a search has not used."""
        return self.protocol in ("folds", "hold-out")
