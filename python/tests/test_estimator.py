"""TierRanker as scikit-learn uses it; skipped where that is not installed."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils import estimator_checks

from fubini.estimator import TierRanker
from test_fubini import ratings


@pytest.fixture(scope="module")
def data():
    rows = ratings()
    return np.array([row[:2] for row in rows], dtype=object), np.array([row[2] for row in rows], dtype=float)


@pytest.fixture(scope="module")
def fitted(data):
    return TierRanker(epochs=4).fit(*data)


# The checks that do not draw a matrix of numbers for X: ours are pairs of names.
@pytest.mark.parametrize("check", ["check_estimator_cloneable", "check_estimator_repr", "check_estimator_tags_renamed", "check_get_params_invariance", "check_mixin_order",
                                   "check_no_attributes_set_in_init", "check_parameters_default_constructible", "check_set_params", "check_valid_tag_types"])
def test_checks_of_scikit_learn(check):
    getattr(estimator_checks, check)("TierRanker", TierRanker())


def test_what_the_other_checks_ask(data, fitted):
    X, y = data
    before = X.copy(), y.copy(), fitted.get_params()
    again = clone(fitted)
    with pytest.raises(NotFittedError):
        again.predict(X[:3])
    assert again.fit(X, y) is again
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))  # the same seed, the same scores
    np.testing.assert_array_equal(fitted.predict(X)[::-1], fitted.predict(X[::-1]))  # each pair by itself
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))
    assert (X == before[0]).all() and (y == before[1]).all() and again.get_params() == before[2]
    for wrong in (X[:, :1], X[0]):
        with pytest.raises(ValueError):
            again.predict(wrong)
    with pytest.raises(ValueError):
        again.fit(X, y[:-1])
    with pytest.raises(ValueError):
        again.fit(X, np.where(np.arange(len(y)) == 0, np.nan, y))


def test_score(data, fitted):
    X, y = data
    assert 0.7 < fitted.score(X, y) <= 1
    assert fitted.score(X, -y) == pytest.approx(1 - fitted.score(X, y))


def test_search(data):
    search = GridSearchCV(TierRanker(epochs=3), {"hidden": [1, 3]}, cv=2, error_score="raise").fit(*data)
    assert search.best_params_["hidden"] in (1, 3) and np.isfinite(search.best_score_)
