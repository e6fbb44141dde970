"""What one selected feature does: in words, and its values by class or against the target."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from fsdesk.app.palette import Tokens
from fsdesk.app.plots.feature_plots import ValuesView
from fsdesk.app.widgets import button, column, label, named, row, scrolled
from fsdesk.messages import number, tr, translated
from fsdesk.results.features import FeaturePreview

if TYPE_CHECKING:
    from fsdesk.results.features import Effect

__all__ = ["FeatureView"]

_SEARCH = "https://duckduckgo.com/?q={name}"


class FeatureView(QWidget):
    """Shows a feature; nothing leaves the computer before its link is clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.name, self.words, self.key = label("", "heading"), label("", wrap=True), label("", "caption", wrap=True)
        named(self.words, "featureWords", tr("What the feature does"))
        self.link = button(tr("Look up this name"), "lookUpFeature", "link", tr("Look up this name on the internet"))
        self.link.setToolTip(tr("Opens your browser and sends this name to a search engine, duckduckgo.com"))
        self.link.clicked.connect(self._look_up)
        self.values = ValuesView()
        inside = QWidget()
        layout = column(self.words, self.values, self.key)
        layout.insertLayout(0, row(self.name, None, self.link))
        layout.addStretch(1)
        inside.setLayout(layout)
        whole = column(scrolled(inside))
        self.setLayout(whole)

    def show_feature(self, look: FeaturePreview, effect: "Effect | None", features: tuple[str, ...]) -> None:
        """Show a feature of the subset; ``effect`` is None while it is being worked out."""
        self.name.setText(look.name)
        self.words.setText(effect_words(effect, features, numbers=look.response is not None))
        self.values.show_look(look)
        if look.response is not None:
            self.key.setText(tr("Each point is a row: the value of the feature across, {target} up.",
                                target=look.target_name))  # fmt: skip
        else:
            self.key.setText(tr("Values of the rows of each class; the line is the median."))

    def _look_up(self) -> None:
        QDesktopServices.openUrl(QUrl(_SEARCH.format(name=quote(self.name.text()))))

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.values.dress(tokens)


def effect_words(effect: "Effect | None", features: tuple[str, ...], *, numbers: bool) -> str:
    """What a feature does, in sentences."""
    if effect is None:
        return tr("What it does is being worked out from rows held out …")
    said = []
    if effect.direction:
        direction = translated(effect.direction)
        if numbers and effect.standardised is not None:
            said.append(
                tr("{direction} (rank correlation {value}).", direction=_capital(direction),
                   value=number(effect.standardised, ".2f"))
            )  # fmt: skip
        elif effect.difference is not None and effect.standardised is not None:
            said.append(
                tr("{direction}: the medians differ by {difference}, {standardised} standard deviations.",
                   direction=_capital(direction), difference=number(effect.difference, ".3g"),
                   standardised=number(effect.standardised, ".2f"))
            )  # fmt: skip
    if effect.effect is not None and numbers:
        said.append(tr("Over its range the prediction changes by {amount}.", amount=number(effect.effect, ".3g")))
    elif effect.effect is not None:
        said.append(
            tr("Over its range the predicted probability changes by up to {amount} points, on rows held out.",
               amount=number(100 * effect.effect, ".0f"))
        )  # fmt: skip
    if effect.like is not None and effect.correlation is not None:
        said.append(
            tr("It may stand for {name}, which was left out and is most like it (correlation {value}).",
               name=features[effect.like], value=number(effect.correlation, ".2f"))
        )  # fmt: skip
    return " ".join(said) or tr("Nothing can be said of it: it is a category, or it has one value.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
