"""An estimator in the style of scikit-learn, which is not needed for it."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import Model, train
from ._frames import Frame
from .scoring import Scorer


class TierRanker:
    """Scores pairs of a user and an item.

    fit(X, y) takes pairs (user, item), an array or a list, and their ratings. predict(X) returns a score for each pair,
    higher for better, on no scale of ratings: it is for ranking. A user whom fit did not see, and an item, have the scores
    of an average person, and 0.
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
        pairs = [(str(user), str(item)) for user, item in np.asarray(X, dtype=object)]
        ratings = [float(value) for value in np.asarray(y)]
        if len(pairs) != len(ratings):
            raise ValueError(f"X has {len(pairs)} pairs and y {len(ratings)} ratings")
        self.model_: Model = train([(user, item, rating) for (user, item), rating in zip(pairs, ratings)],
                                   seed=self.seed, aim="taste", hidden=self.hidden, epochs=self.epochs)
        self.scorer_ = Scorer(self.model_.path)
        self.tiers_: dict[str, list[list[str]]] = {}
        rated: dict[str, dict[float, list[str]]] = {}
        for (user, item), rating in zip(pairs, ratings):
            rated.setdefault(user, {}).setdefault(rating, []).append(item)
        for user, levels in rated.items():
            self.tiers_[user] = [levels[level] for level in sorted(levels, reverse=True)]
        return self

    def predict(self, X: Frame) -> np.ndarray:
        """The score of each pair."""
        index = {id: i for i, id in enumerate(self.scorer_.ids)}
        scores: dict[str, np.ndarray] = {}
        out = []
        for user, item in np.asarray(X, dtype=object):
            user, item = str(user), str(item)
            if user not in scores:
                scores[user] = self.scorer_.scores(self.tiers_.get(user, []))
            out.append(scores[user][index[item]] if item in index else 0.0)
        return np.array(out)
