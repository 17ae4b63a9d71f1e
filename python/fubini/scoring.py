"""Recommending for one person with NumPy alone: no program is called. The models osm and latent-osm, by taste."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Sequence, Union

import numpy as np

_TYPES = {"F64": "<f8", "F32": "<f4", "U8": "u1", "U32": "<u4", "I64": "<i8"}


class Scorer:
    """A model file in memory."""

    def __init__(self, path: Union[str, Path]):
        data = Path(path).read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + length])
        self.metadata: dict[str, str] = header.pop("__metadata__")
        self.tensors: dict[str, np.ndarray] = {}
        for name, about in header.items():
            start, end = (8 + length + offset for offset in about["data_offsets"])
            self.tensors[name] = np.frombuffer(data[start:end], _TYPES[about["dtype"]]).reshape(about["shape"])
        if "latent" not in self.metadata:
            raise ValueError("the file has no worths and hidden units: only models osm and latent-osm are scored here")
        self.shape: dict[str, Any] = json.loads(self.metadata["latent"])
        text, ends = self.tensors["items.ids"].tobytes(), self.tensors["items.ids.offsets"]
        self.ids = [text[a:b].decode() for a, b in zip(ends[:-1], ends[1:])]
        self._index = {id: i for i, id in enumerate(self.ids)}

    def _known(self, tiers: Sequence[Sequence[str]]) -> list[list[int]]:
        known = [[self._index[id] for id in tier if id in self._index] for tier in tiers]
        return [tier for tier in known if tier]

    def embedding(self, tiers: Sequence[Sequence[str]]) -> np.ndarray:
        """The posterior means of the hidden units given tiers of ids, best first."""
        return self._embedding(self._known(tiers))

    def _embedding(self, tiers: list[list[int]]) -> np.ndarray:
        t, n = self.tensors, sum(map(len, tiers))
        scale = self.shape["size"] / (n - 1) if self.shape["size"] > 0 and n > 1 else 1
        centre = (n - 1) / 2 if self.shape["centred"] else 0
        units, below = t["b"].copy(), n
        for tier in tiers:
            below -= len(tier)
            units += scale * (below + (len(tier) - 1) / 2 - centre) * t["W"][tier].sum(axis=0)
            units += scale * len(tier) * (len(tier) - 1) / 2 * t["nu_k"]
        if "v" in t and n > 0:
            units += t["v"][[i for tier in tiers for i in tier]].sum(axis=0) / np.sqrt(n)
        return 1 / (1 + np.exp(-units)) if self.shape["units"] == "binary" else units

    def scores(self, tiers: Sequence[Sequence[str]]) -> np.ndarray:
        """The score of every item, in the order of ids; higher is better."""
        known = self._known(tiers)
        t, n = self.tensors, sum(map(len, known))
        scores = t["u"] + t["W"] @ self._embedding(known)
        if "v" in t and n > 0:
            scores = scores + (t["W"] * t["v"]).sum(axis=1) / np.sqrt(n)
        return scores

    def recommend(self, tiers: Sequence[Sequence[str]], n: int = 10, min_support: int = 5) -> list[tuple[str, float]]:
        """The best items that are not among the tiers: pairs of id and score."""
        scores = self.scores(tiers)
        scores[self.tensors["items.seen"] < min_support] = -np.inf
        scores[[i for tier in self._known(tiers) for i in tier]] = -np.inf
        order = sorted(np.flatnonzero(scores > -np.inf), key=lambda i: (-scores[i], self.ids[i]))
        return [(self.ids[i], float(scores[i])) for i in order[:n]]
