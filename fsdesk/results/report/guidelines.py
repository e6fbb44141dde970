"""Where a report answers the items of two guidelines on studies of prediction models, and what is left to the authors.

TRIPOD+AI: Collins et al., BMJ 385 (2024), e078378. REFORMS: Kapoor et al., Science Advances 10 (2024), eadk3452. Items
are named by their numbers and in words of our own.
"""

from collections.abc import Iterator, Mapping

from fsdesk.messages import mark, tr
from fsdesk.results.report.content import Block, Facts, Text

__all__ = ["guidelines"]

_TRIPOD = (
    ("1", mark("Title"), "result"),
    ("4", mark("Objective"), "question"),
    ("5a", mark("Source of the data"), "data"),
    ("5b, 6a-c", mark("Dates, setting and eligibility of participants"), ""),
    ("7", mark("Preparation of the data"), "data"),
    ("8, 9", mark("Outcome and predictors"), "data"),
    ("10", mark("Sample size: rows, and what they can tell"), "data"),
    ("11", mark("Missing data"), "data"),
    ("12a-c", mark("How data were used, model, tuning and internal validation"), "method"),
    ("12e", mark("Measures of performance"), "result"),
    ("13", mark("Class imbalance: sizes of the classes"), "data"),
    ("14", mark("Fairness between groups of people"), ""),
    ("16", mark("Training against evaluation"), "unseen"),
    ("17, 18a-d, 19", mark("Ethics, funding, protocol, registration, involvement of patients"), ""),
    ("18e, 18f", mark("Sharing of data and code"), "environment"),
    ("20a", mark("Flow of rows"), "data"),
    ("21", mark("Rows in each analysis"), "unseen"),
    ("22", mark("The full model: features and settings"), "features"),
    ("23a", mark("Performance with confidence intervals"), "result"),
    ("25", mark("Interpretation"), ""),
    ("26", mark("Limits"), "limits"),
    ("27", mark("Use in practice"), ""),
)
_REFORMS = (
    ("1a-c", mark("Population, motivation, why machine learning"), ""),
    ("2a-c", mark("Data, code and computing environment to repeat it"), "environment"),
    ("2d, 2e", mark("Documentation and a script that repeats all results"), "environment"),
    ("3a, 3b", mark("Source and sampling of the data"), ""),
    ("3d, 3e", mark("Outcome, and number of rows"), "data"),
    ("3f", mark("Missing values"), "data"),
    ("4a-c", mark("Rows left out, impossible values, transformations"), "data"),
    ("5a, 5b", mark("Model and why it was chosen"), "method"),
    ("5c, 5d", mark("Evaluation, and how the answer was chosen"), "unseen"),
    ("5e", mark("Settings"), "settings"),
    ("5f", mark("Baselines: all features, and a guess"), "luck"),
    ("6a", mark("Training and test rows kept apart in every step"), "method"),
    ("6b", mark("Rows that depend on one another"), "data"),
    ("6c", mark("Whether each feature may be known at the time of prediction"), ""),
    ("7a, 7b", mark("Measures and their uncertainty"), "result"),
    ("7c", mark("Tests"), "luck"),
    ("8a, 8b", mark("What the result holds for, and what not"), "limits"),
)


def guidelines(places: Mapping[str, str]) -> Iterator[Block]:
    """Two tables; ``places`` are the numbers of the sections by their keys."""
    yield Text(
        tr(
            "Which items of two guidelines this report answers, and in which section. What no program can know is for "
            "the authors to say."
        )
    )
    titles = (
        (_TRIPOD, tr("TRIPOD+AI (Collins et al., BMJ 385 (2024), e078378).")),
        (_REFORMS, tr("REFORMS (Kapoor et al., Science Advances 10 (2024), eadk3452).")),
    )
    for items, caption in titles:
        rows = tuple(
            (item, tr(words), places.get(key) or (tr("not done here") if key else tr("for the authors")))
            for item, words, key in items
        )
        yield Facts(caption, (tr("Item"), tr("What it asks for"), tr("Section")), rows)
