"""Our scorer in a pipeline of LensKit; skipped where that is not installed."""

import numpy as np
import pytest

pytest.importorskip("lenskit")
pandas = pytest.importorskip("pandas")

import fubini
from fubini.lenskit import TierConfig, TierScorer
from fubini.scoring import Scorer
from lenskit import predict, recommend
from lenskit.data import ItemList, from_interactions_df
from lenskit.pipeline import topn_pipeline
from test_fubini import ratings


@pytest.fixture(scope="module")
def trained():
    frame = pandas.DataFrame(ratings(), columns=["user_id", "item_id", "rating"])
    pipeline = topn_pipeline(TierScorer(TierConfig(epochs=10)))
    pipeline.train(from_interactions_df(frame))
    return frame, pipeline


def test_recommends_what_the_model_does(trained):
    frame, pipeline = trained
    model = fubini.train(frame.rename(columns={"user_id": "user", "item_id": "item"}), aim="taste", epochs=10)
    own = frame[frame["user_id"] == "u0"]
    tiers = [list(own[own["rating"] == level]["item_id"]) for level in sorted(own["rating"].unique(), reverse=True)]
    want = Scorer(model.path).recommend(tiers, n=5, min_support=0)
    got = recommend(pipeline, "u0", n=5)
    assert list(got.ids()) == [item for item, _ in want]
    np.testing.assert_allclose(got.scores(), [score for _, score in want], rtol=0, atol=1e-6)


def test_scores_of_given_items(trained):
    _, pipeline = trained
    scorer = pipeline.component("scorer")
    scores = scorer("u0", ItemList(["film 4", "film 5", "not a film"])).scores()
    assert np.isfinite(scores[:2]).all() and np.isnan(scores[2])


def test_configuration():
    assert TierScorer(hidden=3).config.hidden == 3
