"""k nearest neighbours by Euclidean distance: the paper's first wrapper, with k = 1."""

from fsdesk.settings import setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper

__all__ = ["NearestNeighbours"]


@WRAPPERS.register(
    "nn",
    title="Nearest neighbours",
    summary="Gives a row the class of the most similar rows. Simple, and sensitive to useless features: ideal for a search.",
    reference="T. Cover and P. Hart, Nearest Neighbor Pattern Classification, IEEE Trans. Inf. Theory 13 (1967)",
)
class NearestNeighbours(Wrapper):
    """Majority class of the k nearest training rows; distance ties go to the lowest row, vote ties to the first class."""

    k: int = setting(
        1,
        title="Neighbours k",
        help="How many of the most similar rows vote.",
        source="paper, section Classifiers: 1-NN",
        ge=1,
        le=1000,
    )

    def bind(self, design: Design) -> Predictor:
        """Scale what can be scaled once, and hand over to the compiled kernel."""
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.neighbours import NeighbourPredictor

        return NeighbourPredictor(design, self.k)
