"""Run with a wheel installed: python -m pytest python/tests"""

import json
import subprocess

import numpy as np
import pytest

import fubini
from fubini.estimator import TierRanker
from fubini.scoring import Scorer


def ratings():
    """120 people, half of whom like items with even numbers and half those with odd ones."""
    rows = []
    for user in range(120):
        for k in range(18):
            item = (7 * k + user) % 24
            rows.append((f"u{user}", f"film {item}", 2 + 2 * ((item + user) % 2) + (item + 3 * user) % 7 // 6))
    return rows


@pytest.fixture(scope="module")
def model():
    return fubini.train(ratings(), aim="taste")


def test_recommend_is_what_the_program_prints(model, tmp_path):
    tiers = [["film 0", "film 2"], ["film 1"]]
    ours = model.recommend(tiers, n=5)
    (tmp_path / "tiers.json").write_text(json.dumps(tiers))
    theirs = subprocess.run([fubini._program.path(), "recommend", str(model.path), "--tiers", str(tmp_path / "tiers.json"), "-n", "5",
                             "--format", "jsonl", "--quiet"], capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in theirs.splitlines()]
    assert rows == ours
    assert all(int(row["item"].split()[1]) % 2 == 0 for row in ours[:3])


def test_numpy_has_the_same_scores(model):
    tiers = [["film 0", "film 2"], ["film 1"]]
    ours = model.recommend(tiers, n=8)
    scored = Scorer(model.path).recommend(tiers, n=8)
    assert [item for item, _ in scored] == [row["item"] for row in ours]
    np.testing.assert_allclose([score for _, score in scored], [row["score"] for row in ours], rtol=0, atol=1e-9)


def test_odds_and_explanation(model):
    tiers = [["film 0", "film 2"], ["film 1"]]
    odds = model.odds(tiers, "film 4")
    assert abs(sum(odds["tier_probs"]) + sum(odds["gap_probs"]) - 1) < 1e-9
    why = model.explain(tiers, "film 4")
    assert abs(why["base"] + why["ties"] + why["rest"] + sum(part["part"] for part in why["parts"]) - why["score"]) < 1e-9


def test_frames_go_in_and_come_out():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    columns = {"user": "Who", "item": "What", "rating": "Stars"}
    rows = [dict(zip(columns.values(), row)) for row in ratings()]
    answers = []
    for frame in (pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.Table.from_pylist(rows)):
        trained = fubini.train(frame, columns=columns, aim="taste", epochs=3)
        top = trained.recommend([["film 0"], ["film 1"]], n=3)
        assert type(top).__module__.partition(".")[0] == type(frame).__module__.partition(".")[0]
        answers.append(top["item"].to_pylist() if hasattr(top["item"], "to_pylist") else list(top["item"]))
    assert answers[0] == answers[1] == answers[2]


def test_columns_that_are_not_there():
    frames = [[{"user": "a", "item": "b", "rating": 1}]]
    for name, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("polars", "LazyFrame")):
        try:
            frames.append(getattr(__import__(name), make)(frames[0]))
        except ImportError:
            pass
    for frame in frames:
        with pytest.raises(ValueError, match="no column 'Stars'; they have 'user', 'item', 'rating'"):
            fubini.train(frame, columns={"rating": "Stars"})


def test_fit():
    votes = [{"model_a": a, "model_b": b, "winner": w} for a, b, w in
             [("x", "y", "model_a")] * 8 + [("x", "y", "model_b")] * 3 + [("y", "z", "tie")] * 4 + [("y", "z", "model_a")] * 5 + [("z", "x", "model_a")] * 2 + [("z", "x", "model_b")] * 6]
    board = fubini.fit(votes)
    worths = [item["worth"] for item in board.report["items"]]
    assert [item["item"] for item in board.report["items"]][0] == "x" and abs(sum(worths)) < 1e-9


def test_progress_is_told(capsys):
    lines = []
    fubini.evaluate(ratings(), ["item-mean"], given=5, min_test=3, progress=lines.append)
    assert any("item-mean" in line for line in lines)
    fubini.evaluate(ratings(), ["item-mean"], given=5, min_test=3, progress=True)
    assert "item-mean" in capsys.readouterr().out


def test_evaluate():
    rows = fubini.evaluate(ratings(), ["item-mean", "latent-osm"], given=5, min_test=3)
    by = {row["model"]: row["ndcg@5"] for row in (rows if isinstance(rows, list) else rows.to_dict("records"))}
    assert by["latent-osm"] > by["item-mean"]


def test_errors_have_the_programs_words(model):
    with pytest.raises(fubini.FubiniError, match="not in the model"):
        model.recommend([["nothing like it"]])
    with pytest.raises(fubini.FubiniError, match="there is no such file"):
        fubini.load("no such file")


def test_estimator():
    rows = ratings()
    ranker = TierRanker(epochs=5).fit([row[:2] for row in rows], [row[2] for row in rows])
    scores = ranker.predict([("u0", "film 4"), ("u0", "film 5"), ("u0", "unknown")])
    assert scores[0] < scores[1] and scores[2] == 0
    assert TierRanker().set_params(**ranker.get_params()).get_params() == ranker.get_params()
    with pytest.raises(ValueError, match="no parameter depth"):
        ranker.set_params(depth=3)
