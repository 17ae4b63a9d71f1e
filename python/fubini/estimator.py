"""An estimator in the style of scikit-learn, which is not needed for it; where it is installed, TierRanker is one of its estimators."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import Model, train
from ._frames import Frame
from .scoring import Scorer

try:
    from sklearn.base import BaseEstimator as _Base, RegressorMixin as _Mixin
    from sklearn.exceptions import NotFittedError
except ImportError:
    _Base, _Mixin = object, object

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """The estimator has learned nothing yet."""


class TierRanker(*(c for c in (_Mixin, _Base) if c is not object)):  # type: ignore[misc]
    """Scores pairs of a user and an item.

    fit(X, y) takes pairs (user, item), an array or a list, and their ratings. predict(X) returns a score for each pair,
    higher for better, on no scale of ratings: it is for ranking. A user whom fit did not see has the scores of an average
    person, and an item that it did not see has 0. score(X, y) is how well the scores order what each user rated.
    """

    def __init__(self, hidden: Optional[int] = None, epochs: Optional[int] = None, seed: int = 1):
        self.hidden = hidden
        self.epochs = epochs
        self.seed = seed

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor."""
        return {"hidden": self.hidden, "epochs": self.epochs, "seed": self.seed}

    def set_params(self, **parameters: Any) -> "TierRanker":
        """Changes parameters of the constructor."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise ValueError(f"there is no parameter {name}; there are {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self

    def fit(self, X: Frame, y: Any) -> "TierRanker":
        """Learns a model from pairs and ratings."""
        pairs, ratings = _pairs(X), _ratings(y)
        if len(pairs) != len(ratings):
            raise ValueError(f"X has {len(pairs)} pairs and y {len(ratings)} ratings")
        self.model_: Model = train([(user, item, rating) for (user, item), rating in zip(pairs, ratings)],
                                   seed=self.seed, aim="taste", hidden=self.hidden, epochs=self.epochs)
        self.scorer_ = Scorer(self.model_.path)
        self.n_features_in_ = 2
        self.tiers_: dict[str, list[list[str]]] = {}
        rated: dict[str, dict[float, list[str]]] = {}
        for (user, item), rating in zip(pairs, ratings):
            rated.setdefault(user, {}).setdefault(rating, []).append(item)
        for user, levels in rated.items():
            self.tiers_[user] = [levels[level] for level in sorted(levels, reverse=True)]
        return self

    def predict(self, X: Frame) -> np.ndarray:
        """The score of each pair."""
        if not hasattr(self, "scorer_"):
            raise NotFittedError("this TierRanker has learned nothing yet: call fit first")
        index = {id: i for i, id in enumerate(self.scorer_.ids)}
        scores: dict[str, np.ndarray] = {}
        out = []
        for user, item in _pairs(X):
            if user not in scores:
                scores[user] = self.scorer_.scores(self.tiers_.get(user, []))
            out.append(scores[user][index[item]] if item in index else 0.0)
        return np.array(out)

    def score(self, X: Frame, y: Any, sample_weight: Any = None) -> float:
        """The share of pairs of items of one user, rated differently, that stand in the right order; ties count half."""
        if sample_weight is not None:
            raise ValueError("score takes no weights")
        users: dict[str, tuple[list[float], list[float]]] = {}
        for (user, _), guess, rating in zip(_pairs(X), self.predict(X), _ratings(y)):
            guesses, ratings = users.setdefault(user, ([], []))
            guesses.append(float(guess))
            ratings.append(rating)
        right = total = 0.0
        for guesses, ratings in users.values():
            above = np.subtract.outer(np.array(ratings), np.array(ratings)) > 0
            ahead = np.sign(np.subtract.outer(np.array(guesses), np.array(guesses)))
            right += float(((ahead[above] + 1) / 2).sum())
            total += float(above.sum())
        return right / total if total else float("nan")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "model_"}  # a file of this process; predict needs it not


def _pairs(X: Frame) -> list[tuple[str, str]]:
    array = np.asarray(X, dtype=object)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"X has the shape {array.shape}; it takes pairs (user, item)")
    return [(str(user), str(item)) for user, item in array]


def _ratings(y: Any) -> list[float]:
    values = np.asarray(y, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("y takes one finite rating for each pair")
    return [float(value) for value in values]
