"""How a mask is measured: the settings of the validation, with the paper's as defaults."""

from typing import Literal

from fsdesk.measure.criteria import CRITERIA
from fsdesk.settings import Settings, setting


class MeasureSettings(Settings):
    """Repeated stratified k-fold cross-validation (paper, section Performance Criterion), and what else there is."""

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
        help="What the search improves; the usual one is the share of rows predicted wrong, RMSE for numbers, or "
        "concordance for times to an event.",
        source="paper, section Performance Criterion: error",
        choices={"auto": "Usual: error, RMSE, concordance", **{each.name: each.title for each in CRITERIA}},
    )
    protocol: Literal["folds", "hold-out", "leave-one-out", "column", "batches", "time"] = setting(
        "folds",
        title="Validation",
        help="Which rows are predicted by a model that has not seen them; rows of one group always stay together.",
        source="paper: cross-validation",
        choices={
            "folds": "Cross-validation",
            "hold-out": "Hold-out, repeated",
            "leave-one-out": "Leave one out",
            "column": "Folds of a column",
            "batches": "Leave one batch out",
            "time": "Forward in time",
        },
    )
    repeats: int = setting(
        10,
        title="Repeats",
        help="How often the validation is repeated on new random folds; more repeats, less noise, more time.",
        source="paper: 10 repeats",
        ge=1,
        le=1000,
    )
    folds: int = setting(
        5,
        title="Folds",
        help="Into how many parts the rows are divided; each part is predicted by a model trained on the others.",
        source="paper: 5 folds",
        ge=2,
        le=1000,
    )
    scaling: Literal["fold", "once", "none"] = setting(
        "fold",
        title="Scaling",
        help="Brings all features to the same spread. Inside each training fold is unbiased; once over all "
        "rows is faster but lets the model see a little of the rows that it is tested on.",
        source="the authors standardise inside each training fold",
        choices={
            "fold": "Inside each training fold",
            "once": "Once, over all rows (faster)",
            "none": "None, use the values as they are",
        },
    )
    scaler: Literal["z-score", "min-max", "robust", "pareto"] = setting(
        "z-score",
        title="Scale",
        help="What counts as the spread of a feature; Pareto scaling takes the square root of the standard deviation, "
        "so that large peaks of spectra still count more.",
        source="paper: standardised features; Pareto: van den Berg et al. 2006",
        level="all",
        choices={
            "z-score": "Standard deviation (autoscale)",
            "min-max": "Range",
            "robust": "Distance between quartiles",
            "pareto": "Square root of the standard deviation (Pareto)",
        },
    )
    imputation: Literal["usual", "half minimum", "neighbours"] = setting(
        "usual",
        title="Missing values",
        help="What fills gaps in numbers, as the training rows say: the median; half of the smallest value, where gaps "
        "are below a limit of detection; or the mean of the nearest rows, for which all features are needed.",
        source="median: it depends on no other feature",
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
        title="Rows that fill a gap",
        help="Of how many of the nearest rows the mean fills a gap.",
        source="default of scikit-learn's KNNImputer",
        ge=1,
        le=1000,
        level="all",
        younger=True,
    )
    normalise: Literal["none", "quotient"] = setting(
        "none",
        title="Normalise rows",
        help="Divides each row by how much more concentrated it is than the median of the training rows, such as urine "
        "by its dilution; all features are needed for that, selected or not.",
        source="none; quotients: Dieterle et al. 2006",
        level="all",
        choices={"none": "No", "quotient": "Probabilistic quotients (PQN)"},
        younger=True,
    )
    transform: Literal["none", "log", "quantile", "normal scores"] = setting(
        "none",
        title="Transform",
        help="Changes the values of each feature before they are scaled; quantiles and normal scores are learned from "
        "the training rows.",
        source="none; amounts and intensities are mostly taken as logarithms",
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
        help="Such as 1 for counts, since zero has no logarithm; values that are not above zero even so are refused.",
        source="0: nothing is added",
        ge=0,
        le=1e12,
        level="all",
        younger=True,
    )
    batch: str = setting(
        "",
        title="Column of batches",
        help="The feature that says in which batch a row was measured, such as its plate or hospital; it is never "
        "selected.",
        source="none is named",
        level="all",
        younger=True,
    )
    centre_batches: bool = setting(
        False,
        title="Centre batches",
        help="Takes away by how much the training rows of each batch differ from all, beyond what classes differ; "
        "rows of a batch without training rows stay as they are.",
        source="off; as removeBatchEffect of limma, learned from training rows alone",
        level="all",
        younger=True,
    )
    stratify: bool = setting(
        True,
        title="Equal classes in all folds",
        help="Gives every fold its share of each class.",
        source="usual practice; it hardly changes the mean error and lowers its noise",
        level="all",
    )
    test_share: float = setting(
        0.25,
        title="Tested share",
        help="Share of the rows that are tested in each repeat of a hold-out.",
        source="usual practice",
        gt=0,
        lt=1,
        level="all",
    )
    std_error_limit: float = setting(
        0.0,
        title="Repeat until the standard error is under",
        zero="off",
        help="Measures no more repeats once the standard error of a measurement is below this; 0 takes all repeats.",
        source="off: as in the paper, all repeats are taken",
        ge=0,
        le=1e9,
        level="all",
    )
    size_penalty: float = setting(
        0.0,
        title="Penalty on size",
        zero="none",
        help="Adds this times the share of features used to the loss, so that smaller subsets win; 0 adds nothing.",
        source="off: the paper minimises the error alone",
        ge=0,
        le=1e6,
        level="all",
    )
    costs: str = setting(
        "",
        title="Costs of mistakes",
        help='For the mean cost, such as "ill > healthy = 5": what predicting the second class for the first costs.',
        source="1 for each mistake",
        level="all",
    )
    horizon: float = setting(
        0.0,
        title="Time asked about",
        zero="usual",
        help="For the AUC at a time, and the last one for the Brier score; usual are the median time of the events, "
        "and the time that a tenth of the rows outlast.",
        source="a time in the unit of the target, such as 60 months",
        ge=0,
        le=1e12,
        level="all",
    )
    positive: str = setting(
        "",
        title="Class that is looked for",
        help="By cut-offs in the report, and by F1 of two classes; the rarest class where nothing is named.",
        source="usual practice",
        level="all",
    )

    @property
    def reshuffles(self) -> bool:
        """Whether each measurement has random folds of its own; else no folds are left that a search has not seen."""
        return self.protocol in ("folds", "hold-out")
