"""The notebook runs from the first cell to the last, and finds what the program prints for the same files; skipped without its data
(FUBINI_DATA) and libraries."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from fubini import _program
from fubini.scoring import Scorer

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("matplotlib")


def test_movielens(monkeypatch, tmp_path):
    data = os.environ.get("FUBINI_DATA")
    if not data or not Path(data, "ml-latest-small", "ratings.csv").exists():
        pytest.skip("no ml-latest-small in FUBINI_DATA")
    monkeypatch.setenv("MOVIELENS", str(Path(data, "ml-latest-small")))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as in a notebook that somebody looks at
    notebook = nbformat.read(Path(__file__).parent.parent / "notebooks" / "movielens.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("""import json
model.save("of-notebook.safetensors")
with open("found.json", "w") as out:
    json.dump({"top": top.to_dict("records"), "league": league.reset_index().to_dict("records"), "board": board.report["items"]}, out)
with open("tiers.json", "w") as out:
    json.dump(mine, out)
ratings[ratings["movieId"].isin(most)][["userId", "movieId", "rating"]].to_csv("most.csv", index=False)"""))
    nbclient.NotebookClient(notebook, timeout=3600, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(pictures) == 3

    def fubini(*words):
        done = subprocess.run([_program.path(), *words, "--quiet"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def without_times(rows):
        return [{key: value for key, value in row.items() if not key.endswith("_s")} for row in rows]

    def rows(text):
        return [json.loads(line) for line in text.splitlines()]

    found = json.loads((tmp_path / "found.json").read_text())
    movies = Path(data, "ml-latest-small")
    fubini("train", str(movies / "ratings.csv"), "--catalogue", str(movies / "movies.csv"), "-o", "of-program.safetensors")
    ours, theirs = (Scorer(tmp_path / name) for name in ("of-notebook.safetensors", "of-program.safetensors"))
    assert ours.ids == theirs.ids
    for name, tensor in ours.tensors.items():
        np.testing.assert_array_equal(tensor, theirs.tensors[name], err_msg=name)
    top = rows(fubini("recommend", "of-program.safetensors", "--tiers", "tiers.json", "-n", "10", "--format", "jsonl"))
    assert len(top) == 10 and found["top"] == top
    league = rows(fubini("evaluate", str(movies / "ratings.csv"), "--models", "item-mean,biased-mf,latent-osm", "--given", "20", "--format", "jsonl"))
    assert without_times(found["league"]) == without_times(league)
    assert found["board"] == json.loads(fubini("fit", "most.csv", "--format", "json"))["items"]
