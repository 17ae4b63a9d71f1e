"""Rankings with ties: worths from votes, tastes from ratings and tier lists, recommendations with odds.

    import fubini
    model = fubini.train(ratings)                      # a frame with the columns user, item, rating
    model.recommend([["The Matrix"], ["Titanic"]])     # best tier first; ids or titles
    board = fubini.fit(votes)                          # a frame with the columns model_a, model_b, winner

Frames are of pandas, Polars or Arrow, or lists of tuples or dicts; results come back in the same kind.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from . import _frames, _program
from ._frames import Frame
from ._program import FubiniError, Progress

__all__ = ["Board", "FubiniError", "Model", "evaluate", "fit", "load", "train", "version"]

Tiers = Sequence[Sequence[str]]
Data = Union[str, Path, Frame]  # a file that the program reads, or a frame


class _Folder:
    """A temporary folder with the data of a call."""

    def __enter__(self) -> "_Folder":
        self._temporary = tempfile.TemporaryDirectory(prefix="fubini-")
        self.path = Path(self._temporary.name)
        return self

    def __exit__(self, *_: Any) -> None:
        self._temporary.cleanup()

    def data(self, data: Data, columns: Optional[Mapping[str, str]] = None) -> str:
        """The path of data, written here if they are in memory."""
        if isinstance(data, (str, Path)):
            return str(data)
        file = self.path / "data.csv"
        _frames.write(data, file, columns)
        return str(file)

    def tiers(self, tiers: Tiers) -> str:
        file = self.path / "tiers.json"
        file.write_text(json.dumps([list(map(str, tier)) for tier in tiers]), encoding="utf-8")
        return str(file)


def _library(data: Data) -> str:
    """The kind of frame for results about data."""
    return _frames.kind(data) if not isinstance(data, (str, Path)) else _default()


def _default() -> str:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return "rows"
    return "pandas"


def version() -> dict[str, Any]:
    """How the program was built."""
    return _program.document(["version"])


def train(data: Data, *, model: str = "latent-osm", save: Union[str, Path, None] = None, columns: Optional[Mapping[str, str]] = None,
          set: Optional[Mapping[str, Any]] = None, seed: int = 1, progress: Progress = None, **flags: Any) -> "Model":
    """Learns a model from ratings, tier lists or picks: `fubini train`.

    columns names those of the frame: {"user": "Reviewer", "item": "Game", "rating": "Stars"}. set has settings of the
    model, such as {"hidden": 32}. progress=True shows how far training is, and a function gets each line. Other keywords are flags of the command. Without save the model lives as long as the
    object.
    """
    words = ["--model", model] if model != "latent-osm" else []
    with _Folder() as folder:
        keep = None
        if save is None:
            keep = tempfile.TemporaryDirectory(prefix="fubini-model-")
            save = Path(keep.name) / "model.safetensors"
        quiet = [] if progress else ["--quiet"]
        _program.run(["train", folder.data(data, columns), *words, "--seed", str(seed), "-o", str(save), *quiet,
                      *_program.flags({"set": set, **flags})], progress=progress)
    return Model(save, _library(data), keep)


def load(path: Union[str, Path]) -> "Model":
    """A model that was trained before, by this package or by the program."""
    if not Path(path).exists():
        raise FubiniError(f"{path}: there is no such file")
    return Model(path, _default())


class Model:
    """A trained model in a file."""

    def __init__(self, path: Union[str, Path], library: str = "rows", keep: Any = None):
        self.path = Path(path)
        self._library = library
        self._keep = keep  # the folder of a model that was not saved

    def __repr__(self) -> str:
        return f"fubini.Model({str(self.path)!r})"

    def save(self, path: Union[str, Path]) -> None:
        """Copies the model file."""
        shutil.copyfile(self.path, path)

    def info(self) -> dict[str, Any]:
        """What the file says of itself."""
        return _program.document(["model", "info", str(self.path)])

    def recommend(self, tiers: Tiers, n: int = 10, **flags: Any) -> Frame:
        """The best items for somebody with these tiers, best first, of ids or titles."""
        with _Folder() as folder:
            rows = _program.records(["recommend", str(self.path), "--tiers", folder.tiers(tiers), "-n", str(n), *_program.flags(flags)])
        return _frames.read(rows, self._library)

    def recommend_all(self, data: Data, n: int = 10, odds: bool = False, columns: Optional[Mapping[str, str]] = None, **flags: Any) -> Frame:
        """The best items for everybody in data."""
        with _Folder() as folder:
            rows = _program.records(["recommend", str(self.path), "--users", folder.data(data, columns), "--whole", "-n", str(n),
                                     *_program.flags({"no_odds": not odds, **flags})])
        return _frames.read(rows, _library(data))

    def odds(self, tiers: Tiers, item: str) -> dict[str, Any]:
        """The probability of every place that an item may take among the tiers."""
        with _Folder() as folder:
            only = folder.path / "only.txt"
            only.write_text(str(item) + "\n", encoding="utf-8")
            rows = _program.records(["recommend", str(self.path), "--tiers", folder.tiers(tiers), "--only", str(only), "--min-support", "0"])
        if not rows:
            raise FubiniError(f"{item!r} is among the tiers: leave it out to ask where it would stand")
        return rows[0]

    def explain(self, tiers: Tiers, item: str) -> dict[str, Any]:
        """Which placements moved an item up or down."""
        with _Folder() as folder:
            return _program.document(["explain", str(self.path), "--tiers", folder.tiers(tiers), "--item", str(item)])

    def embed(self, data: Data, columns: Optional[Mapping[str, str]] = None) -> Frame:
        """The posterior vectors of everybody in data, and their places on a flat map."""
        with _Folder() as folder:
            rows = _program.document(["embed", str(self.path), folder.data(data, columns)])["rows"]
        return _frames.read(rows, _library(data))

    def similar(self, item: str, n: int = 10) -> Frame:
        """The items nearest to an item."""
        return _frames.read(_program.records(["similar", str(self.path), "--item", str(item), "-n", str(n)]), self._library)

    def items(self, query: str = "") -> Frame:
        """The items of the model by a title or id."""
        return _frames.read(_program.records(["items", str(self.path), *([query] if query else [])]), self._library)


def evaluate(data: Data, models: Sequence[str], *, given: Optional[int] = 20, columns: Optional[Mapping[str, str]] = None,
             seed: int = 1, progress: Progress = None, **flags: Any) -> Frame:
    """Compares models by their ranking of held-out ratings: `fubini evaluate`."""
    with _Folder() as folder:
        rows = _program.records(["evaluate", folder.data(data, columns), "--models", ",".join(models), "--seed", str(seed),
                                 *_program.flags({"given": given, **flags})], progress=progress)
    return _frames.read(rows, _library(data))


class Board:
    """Worths with errors, from votes. table has a row an item; report is all that the program found."""

    def __init__(self, report: dict[str, Any], library: str, model: Optional["Model"] = None):
        self.report = report
        self.table = _frames.read(report["items"], library)
        self.model = model

    def __repr__(self) -> str:
        return f"fubini.Board of {len(self.report['items'])} items"


def fit(votes: Data, *, save: Union[str, Path, None] = None, columns: Optional[Mapping[str, str]] = None, seed: int = 1, **flags: Any) -> Board:
    """Worths with errors from votes, rankings or tier lists: `fubini fit`. Keywords are flags of the command."""
    with _Folder() as folder:
        report = _program.document(["fit", folder.data(votes, columns), "--seed", str(seed),
                                    *_program.flags({"save": save, **flags})])
    return Board(report, _library(votes), load(save) if save else None)
