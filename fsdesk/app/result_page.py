"""The result page: what a run found, how sure that is, and what else is as good."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fsdesk.app.runs import Run
from fsdesk.app.session import Session
from fsdesk.app.tokens import SPACE, Tokens

__all__ = ["ResultPage"]


class ResultPage(QWidget):
    """Shows one run, ``run``, and one of its subsets, ``subset``; None stands for the run's own answer."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.run: Run | None = None
        self.subset: NDArray[np.bool_] | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)

    def show_run(self, run: Run | None, mask: NDArray[np.bool_] | None = None) -> None:
        """Show a run, or another of its subsets."""
        self.run, self.subset = run, mask

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
