"""Settings for common study designs, adapted to the data; every choice stays visible, and undo reverts them all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fsdesk.data import Dataset
from fsdesk.data.leaks import BATCH_NAME
from fsdesk.engine import RunRequest
from fsdesk.messages import mark
from fsdesk.settings import Value

_EVENTS_OF_A_FEATURE = 10  # P. Peduzzi et al., J. Clin. Epidemiol. 48 (1995)
_SHORT = 50


@dataclass(frozen=True)
class Design:
    """A study design.

    Attributes
    ----------
    name, title, help
        Its title, its menu text, and what it sets and why.
    task
        The required task of the data; "" for any.
    settings
        Differences from the recommended settings of the automatic method, for these data.
    """

    name: str
    title: str
    help: str
    task: str
    settings: Callable[[Dataset], Mapping[str, Value]]

    def request(self, dataset: Dataset) -> RunRequest:
        """The changed settings for these data."""
        return RunRequest(method="auto", wrapper="auto").updated({"settings": dict(self.settings(dataset))})


def _genes(dataset: Dataset) -> Mapping[str, Value]:
    return {"measuring.criterion": "auc" if len(dataset.classes) == 2 else "balanced error", "wrapper.models": "simple",
            "method.most": _SHORT}  # fmt: skip


def batch_column(dataset: Dataset) -> str:
    """The only feature whose name indicates a batch; "" if there is none, or several."""
    names = [name for name in dataset.features if BATCH_NAME.fullmatch(name)]
    return names[0] if len(names) == 1 else ""


def _metabolites(dataset: Dataset) -> Mapping[str, Value]:
    values: dict[str, Value] = {
        "measuring.imputation": "half minimum", "measuring.normalise": "quotient", "measuring.transform": "log",
    }  # fmt: skip
    batch = batch_column(dataset)
    return {**values, "measuring.batch": batch, "measuring.centre_batches": True} if batch else values


def _survival(dataset: Dataset) -> Mapping[str, Value]:
    events = int(dataset.target.sum())
    return {"measuring.criterion": "concordance", "method.prefer": "fewest",
            "method.most": max(1, events // _EVENTS_OF_A_FEATURE)}  # fmt: skip


def _questionnaire(dataset: Dataset) -> Mapping[str, Value]:
    values: dict[str, Value] = {
        "measuring.imputation": "neighbours", "wrapper.models": "simple", "method.prefer": "fewest",
    }  # fmt: skip
    return {**values, "measuring.criterion": "balanced error"} if dataset.classes else values


DESIGNS = (
    Design(
        "genes",
        mark("Case-control study of genes"),
        mark("AUC, simple models and at most 50 features, so that the list can be measured by another laboratory."),
        "classification",
        _genes,
    ),
    Design(
        "metabolites",
        mark("Metabolomics or proteomics with batches"),
        mark(
            "Missing values are imputed by half the minimum, rows are normalized (probabilistic quotients, PQN) and "
            "values are log-transformed; batches are centered if a batch column is named. Every step is learned from "
            "the training rows only."
        ),
        "",
        _metabolites,
    ),
    Design(
        "survival",
        mark("Time to event"),
        mark("Concordance, the fewest features within one standard error, and at least ten events per feature."),
        "survival",
        _survival,
    ),
    Design(
        "questionnaire",
        mark("Short form of a questionnaire"),
        mark(
            "The fewest items within one standard error, simple models, the balanced error if classes are predicted, "
            "and missing answers imputed from the most similar rows."
        ),
        "",
        _questionnaire,
    ),
)
