"""Which section of a report covers which item of a reporting guideline."""

from collections.abc import Iterator, Mapping

from fsdesk.messages import mark, tr
from fsdesk.results.report.blocks import Block, Facts, Text

_TRIPOD = (
    ("1-3", mark("Title, abstract and background"), ""),
    ("4", mark("Objective"), "question"),
    ("5a", mark("Source of the data"), "data"),
    ("5b, 6a-c", mark("Dates, setting, eligibility and treatment of participants"), ""),
    ("7", mark("Preparation of the data"), "data"),
    ("8a, 9b", mark("Coding of the outcome and predictors"), "data"),
    ("8b, 8c, 9a, 9c", mark("Assessment of the outcome and choice of the candidate predictors"), ""),
    ("10", mark("Sample size justification"), ""),
    ("11", mark("Missing data"), "data"),
    ("12a-c", mark("Data use, model, tuning and internal validation"), "method"),
    ("12d", mark("Groups of rows, which are never split between training and test"), "groups"),
    ("12e", mark("Performance measures: error or discrimination"), "result"),
    ("12e", mark("Calibration and clinical utility"), "decision"),
    ("12f, 24", mark("Updating of the model"), ""),
    ("13", mark("Class imbalance"), "data"),
    ("14", mark("Fairness between groups of people"), ""),
    ("15", mark("Output of the model: probabilities, and the cut-off for classes"), "decision"),
    ("16", mark("Training versus evaluation"), "unseen"),
    ("17, 18a-d, 19", mark("Ethics, funding, protocol, registration, patient involvement"), ""),
    ("18e", mark("Data sharing"), ""),
    ("18f", mark("Code: versions, settings and the command"), "environment"),
    ("20a", mark("Flow of rows"), "data"),
    ("20b", mark("Characteristics of the rows"), "data"),
    ("21", mark("Rows in each analysis"), "unseen"),
    ("22", mark("Full model: all coefficients if it is a sum, otherwise pipeline.joblib from the export"), "model"),
    ("23a", mark("Performance with confidence intervals"), "result"),
    ("12g, 20c", mark("Evaluation on a second table"), "external"),
    ("23b", mark("Differences in performance between clusters or subgroups"), ""),
    ("25", mark("Interpretation"), ""),
    ("26", mark("Limitations"), "limits"),
    ("27a-c", mark("Use in practice"), ""),
)


_REMARK = (
    ("1", mark("Markers examined and objectives"), "question"),
    ("2, 3", mark("Patients, their source and their treatment"), ""),
    ("4, 5", mark("Specimens and methods of the assays"), ""),
    ("6", mark("Selection of cases, and time period"), ""),
    ("6", mark("Median follow-up"), "data"),
    ("7", mark("Definition of the endpoint"), ""),
    ("7", mark("Column and value of the event"), "data"),
    ("8", mark("Number of candidate variables, listed in mask.csv"), "data"),
    ("9", mark("Rationale for the number of patients"), ""),
    ("10", mark("Statistical methods, selection of variables, missing values"), "paragraph"),
    ("11", mark("How marker values enter the model, and how cut-offs were chosen"), "decision"),
    ("12", mark("Flow of patients, and number of events"), "data"),
    ("13, 14", mark("Characteristics of the patients, and their association with the markers"), ""),
    ("15", mark("Each selected marker individually"), "features"),
    ("15", mark("Survival curves of groups"), "unseen"),
    ("16", mark("Multivariable analysis: hazard ratios with intervals"), "hazards"),
    ("17", mark("Markers in addition to standard variables, which are always in"), "always"),
    ("18", mark("Internal validation"), "unseen"),
    ("18", mark("Proportionality of hazards"), ""),
    ("19, 20", mark("Interpretation, limitations and future research"), ""),
    ("19", mark("Limitations shown by the data"), "limits"),
)


_REFORMS = (
    ("1a-c", mark("Population, motivation, why machine learning"), ""),
    ("2a-c", mark("Data, code and computing environment for reproduction"), "environment"),
    ("2d, 2e", mark("Documentation and a script that reproduces all results"), "environment"),
    ("3a, 3b", mark("Source and sampling of the data"), ""),
    ("3d, 3e", mark("Outcome, and number of rows"), "data"),
    ("3f", mark("Missing values"), "data"),
    ("4a-c", mark("Excluded rows, impossible values, transformations"), "data"),
    ("5a, 5b", mark("Model and justification"), "method"),
    ("5c, 5d", mark("Evaluation and selection of the result"), "unseen"),
    ("5e", mark("Settings"), "settings"),
    ("5f", mark("Baselines: all features, and no features"), "luck"),
    ("6a", mark("Separation of training and test rows in every step"), "method"),
    ("6b", mark("Dependent rows"), "data"),
    ("6c", mark("Availability of each feature at the time of prediction"), ""),
    ("7a, 7b", mark("Measures and their uncertainty"), "result"),
    ("7c", mark("Tests"), "luck"),
    ("8a, 8b", mark("Scope and limits of the result"), "limits"),
)


def guidelines(places: Mapping[str, str], *, of_times: bool = False) -> Iterator[Block]:
    """A table for each guideline; ``places`` are the section numbers by key."""
    yield Text(
        tr(
            "Items of reporting guidelines covered by this report, with their sections. Items that a program cannot "
            "know are left to the authors."
        )
    )
    titles = (
        *(
            [
                (_REMARK, tr("REMARK (Altman et al., BMC Medicine 10 (2012), 51).")),
            ]
            if of_times
            else ()
        ),
        (_TRIPOD, tr("TRIPOD+AI (Collins et al., BMJ 385 (2024), e078378).")),
        (_REFORMS, tr("REFORMS (Kapoor et al., Science Advances 10 (2024), eadk3452).")),
    )
    for items, caption in titles:
        rows = tuple(
            (item, tr(words), places.get(key) or (tr("not done here") if key else tr("for the authors")))
            for item, words, key in items
        )
        yield Facts(caption, (tr("Item"), tr("Requirement"), tr("Section")), rows)
