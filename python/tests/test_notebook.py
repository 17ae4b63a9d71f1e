"""The notebook runs from the first cell to the last; skipped without its data (FUBINI_DATA) and libraries."""

import os
from pathlib import Path

import pytest

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
    nbclient.NotebookClient(notebook, timeout=3600, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    text = "".join(str(cell.get("outputs")) for cell in notebook.cells)
    assert "Star Wars" in text or "Matrix" in text
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(pictures) == 3
