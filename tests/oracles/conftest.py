from collections.abc import Iterator

import pytest
import sklearn


@pytest.fixture(scope="module", autouse=True)
def unchecked_arguments() -> Iterator[None]:
    """Half the time of scikit-learn's small fits goes into checks of what these tests hand over."""
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield
