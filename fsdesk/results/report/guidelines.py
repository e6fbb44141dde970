"""Which section of a report covers which item of a reporting guideline."""

from collections.abc import Iterator, Mapping

from fsdesk.messages import mark, tr
from fsdesk.results.report.blocks import Block, Facts, Text

_TRIPOD = (
    ("1-3", mark("Title, abstract and background"), ""),
    ("4", mark("Objective: development or validation"), "question"),
    ("5a", mark("Source of the data: file and reading; the authors add their origin"), "data"),
    ("5b, 6a-c", mark("Dates, setting, eligibility and treatment of participants"), ""),
    ("7", mark("Preparation of the data"), "data"),
    (
        "8a, 9b",
        mark("Coding of the outcome and predictors; the authors add how and when they were measured"),
        "data",
    ),
    ("8b, 8c, 9a, 9c", mark("Assessment of the outcome and choice of the candidate predictors"), ""),
    ("10", mark("Sample size justification"), ""),
    ("11", mark("Missing data"), "data"),
    ("12a", mark("Use of the data for training and evaluation"), "unseen paragraph"),
    ("12b", mark("Handling of the predictors: transformation and scaling"), "data"),
    (
        "12c",
        mark("Model, tuning and internal validation; the authors add the rationale for this type of model"),
        "method paragraph",
    ),
    ("12d, 23b", mark("Differences in performance between clusters: each batch left out"), "batches"),
    ("12e", mark("Performance measures: error or discrimination"), "result"),
    ("12e", mark("Calibration and clinical utility"), "calibration"),
    ("12f, 24", mark("Updating of the model"), ""),
    ("12g", mark("How predictions are calculated: as a sum, otherwise by pipeline.joblib from the export"), "model"),
    ("13", mark("Class imbalance: class sizes, weights and criterion"), "data settings"),
    ("14", mark("Fairness between groups of people"), ""),
    ("15", mark("Output of the model: probabilities and the cut-off for classes, or numbers"), "output"),
    ("16", mark("Differences between the data for training and evaluation"), ""),
    ("17, 18a-d, 19", mark("Ethics, funding, protocol, registration, patient involvement"), ""),
    ("18e", mark("Data sharing"), ""),
    ("18f", mark("Code: versions, settings and the command"), "environment settings"),
    ("20a", mark("Flow of rows"), "data"),
    ("20b", mark("Characteristics of the rows; the authors add dates and treatments"), "data"),
    ("20c", mark("Distribution of the predictors in a second table"), ""),
    ("21", mark("Rows and outcomes in each analysis"), "analyses"),
    ("22", mark("Full model: all coefficients if it is a sum, otherwise pipeline.joblib from the export"), "model"),
    ("23a", mark("Performance with confidence intervals; the authors add key subgroups"), "performance"),
    ("23a", mark("Performance on a second table"), "external"),
    ("25", mark("Interpretation"), ""),
    ("26", mark("Limitations shown by the data"), "limits"),
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
    ("11", mark("How marker values enter the model, and how cut-offs were chosen"), "data calibration"),
    ("12", mark("Flow of patients, and number of events"), "data"),
    ("13, 14", mark("Characteristics of the patients, and their association with the markers"), ""),
    ("15", mark("Each selected marker individually"), "features"),
    ("15", mark("Survival curves of groups"), "unseen"),
    ("16", mark("Multivariable analysis: hazard ratios with intervals"), "hazards"),
    ("17", mark("Markers in addition to standard variables, which are always in"), "always"),
    ("18", mark("Internal validation"), "performance"),
    ("18", mark("Proportionality of hazards"), ""),
    ("19, 20", mark("Interpretation, limitations and future research"), ""),
    ("19", mark("Limitations shown by the data"), "limits"),
)


_REFORMS = (
    ("1a-c", mark("Population, motivation, why machine learning"), ""),
    ("2a", mark("Data: fingerprint; the authors add a link to the data"), "environment"),
    ("2b", mark("Code: versions and the command"), "environment"),
    ("2c", mark("Computing environment: software; the authors add the hardware"), "environment"),
    ("2d, 2e", mark("Instructions and a script that reproduces the results, from the export"), "environment"),
    ("3a-c", mark("Source, sampling and suitability of the data"), ""),
    ("3d, 3e", mark("Outcome and its distribution, and number of rows"), "data"),
    ("3f", mark("Missing values, by class"), "data"),
    ("3g", mark("Whether the data represent the population"), ""),
    ("4a", mark("Excluded rows; the authors add the rationale"), "data"),
    ("4b", mark("Impossible values: findings of the data checks"), "data"),
    ("4c", mark("Transformations, from the table as read to the model"), "data"),
    ("5a", mark("All models trained"), "paragraph"),
    ("5b", mark("Justification of the kinds of models"), ""),
    ("5c", mark("Evaluation of the result"), "unseen paragraph"),
    ("5d", mark("Selection of the result"), "search paragraph"),
    ("5e", mark("Tuning and settings"), "paragraph settings"),
    ("5f", mark("Baselines: all features, and no features"), "baselines"),
    ("6a", mark("Separation of training and test rows in every step"), "method paragraph"),
    ("6b", mark("Dependent rows and duplicates"), "data"),
    ("6c", mark("Availability of each feature at the time of prediction"), ""),
    ("7a", mark("Performance measures; the authors add why they suit the purpose"), "result"),
    ("7b", mark("Uncertainty, and how it was calculated"), "uncertainty"),
    ("7c", mark("Tests"), "tests"),
    ("8a", mark("External validity: evaluation on a second table"), "external"),
    ("8b", mark("Limits of the result; the authors add contexts in which it may not hold"), "limits"),
)


def guidelines(places: Mapping[str, tuple[str, str]], *, of_times: bool = False) -> Iterator[Block]:
    """A table for each guideline; ``places`` are the section numbers by key.

    A claim has the keys of the sections in which it is met; some are met only by certain results and have keys of their
    own, of which ``places`` gives the key and number of the section. An item is claimed only if all its sections exist.
    """
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
        rows, cited = list[tuple[str, ...]](), list[tuple[str, ...]]()
        for item, words, keys in items:
            met = [places[key] for key in keys.split() if key in places]
            is_met = bool(met) and len(met) == len(keys.split())
            missing = tr("not done here") if keys else tr("to be added by the authors")
            where = ", ".join(dict.fromkeys(number for _, number in met)) if is_met else missing
            rows.append((item, tr(words), where))
            cited.append(tuple(key for key, _ in met) if is_met else ())
        yield Facts(caption, (tr("Item"), tr("Requirement"), tr("Section")), tuple(rows), cited=tuple(cited))
