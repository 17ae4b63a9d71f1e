"""A scorer for LensKit's pipelines: our model beside its own. LensKit (2025 and later) must be installed."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from lenskit.data import Dataset, ItemList, QueryInput, RecQuery
from lenskit.pipeline import Component
from lenskit.training import Trainable, TrainingOptions
from pydantic import BaseModel

from . import train
from .scoring import Scorer


class TierConfig(BaseModel):
    """Settings of the scorer; None means the program's default."""

    hidden: Optional[int] = None
    epochs: Optional[int] = None
    seed: int = 1


class TierScorer(Component[ItemList], Trainable):
    """Scores items for a user by the tier model, with the ratings of the query folded in."""

    config: TierConfig

    def train(self, data: Dataset, options: TrainingOptions = TrainingOptions()) -> None:
        """Fits the model to the ratings of a data set."""
        frame = data.interaction_table(format="pandas", original_ids=True)
        columns = {"user": "user_id", "item": "item_id"}
        self.model_ = train(frame[["user_id", "item_id", "rating"]], columns=columns, seed=self.config.seed, aim="taste",
                            hidden=self.config.hidden, epochs=self.config.epochs)
        self.scorer_ = Scorer(self.model_.path)
        self.index_ = {id: i for i, id in enumerate(self.scorer_.ids)}

    def __call__(self, query: QueryInput, items: ItemList) -> ItemList:
        """The items with their scores."""
        query = RecQuery.create(query)
        history: Any = query.user_items
        tiers: list[list[str]] = []
        if history is not None and history.field("rating") is not None:
            levels: dict[float, list[str]] = {}
            for id, rating in zip(history.ids(), history.field("rating")):
                levels.setdefault(float(rating), []).append(str(id))
            tiers = [levels[level] for level in sorted(levels, reverse=True)]
        scores = self.scorer_.scores(tiers)
        places = [self.index_.get(str(id), -1) for id in items.ids()]
        return ItemList(items, scores=np.array([scores[i] if i >= 0 else np.nan for i in places]))
