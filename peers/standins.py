"""Writes small rating sets that stand in for kinds of data the public sets are not: user, item, rating by tabs.

    python peers/standins.py ml-1m/ratings.dat FOLDER

dense   planted: 1,200 people and 1,200 items, 97 % rated; who rated what is by lot
sparse  planted: 3,000 people and items, about 45 ratings of a person; what they rate depends on taste and popularity
thin    3,000 people of MovieLens 1M with about 45 of their ratings each
block   the 500 people and 300 films of MovieLens 1M with most ratings between them: 68 % rated

Needs numpy. docs/quality.md has the figures of two priors on them.
"""
import sys

import numpy as np


def planted(r, people, items, rank=8, taste=0.6, item=0.4, person=0.5):
    """Tastes, qualities, and what everybody would give every item, before rounding."""
    scale = 0.75 ** np.arange(rank)
    tastes, qualities = r.normal(size=(people, rank)), r.normal(size=(items, rank)) * scale * taste / np.sqrt((scale**2).sum())
    levels = item * r.normal(size=items) + person * r.normal(size=(people, 1))
    return tastes, qualities, levels + tastes @ qualities.T + r.normal(size=(people, items))


def stars(values):
    """One to five, with the shares of MovieLens 1M."""
    return 1 + np.searchsorted(np.quantile(values, (0.06, 0.17, 0.43, 0.78)), values)


def dense(r):
    _, _, x = planted(r, 1200, 1200)
    v, kept = stars(x.ravel()).reshape(x.shape), r.random(x.shape) < 0.97
    return [(u, i, v[u, i]) for u, i in zip(*np.nonzero(kept))]


def sparse(r):
    tastes, qualities, x = planted(r, 3000, 3000)
    pull = 1.2 * r.normal(size=3000) + 1.5 * (tastes @ qualities.T) + r.gumbel(size=x.shape)
    counts = np.maximum(22, r.lognormal(np.log(38), 0.5, size=3000).astype(int))
    pairs = np.array([(u, i) for u in range(3000) for i in np.argsort(-pull[u])[: counts[u]]])
    return [(u, i, v) for (u, i), v in zip(pairs, stars(x[pairs[:, 0], pairs[:, 1]]))]


def thin(r, data):
    rows = []
    for u in r.permutation(np.unique(data[:, 0]))[:3000]:
        own = data[data[:, 0] == u]
        count = max(22, int(r.lognormal(np.log(40), 0.4)))
        rows += [tuple(row) for row in own[r.permutation(len(own))[:count]]]
    return rows


def block(data):
    people, films = np.unique(data[:, 0]), np.unique(data[:, 1])
    table = np.zeros((people.max() + 1, films.max() + 1), int)
    table[data[:, 0], data[:, 1]] = data[:, 2]
    some = people
    for _ in range(20):  # films by these people, people by these films, until both stay
        best = films[np.argsort(-(table[np.ix_(some, films)] > 0).sum(0))[:300]]
        some = people[np.argsort(-(table[np.ix_(people, best)] > 0).sum(1))[:500]]
    return [(u, i, table[u, i]) for u in some for i in best if table[u, i]]


def main(ratings, folder):
    r = np.random.default_rng(1)
    data = np.array([line.split("::")[:3] for line in open(ratings, encoding="latin1")], dtype=int)
    for name, rows in (("dense", dense(r)), ("sparse", sparse(r)), ("thin", thin(r, data)), ("block", block(data))):
        with open(f"{folder}/{name}.tsv", "w") as f:
            f.writelines(f"u{u}\ti{i}\t{v}\n" for u, i, v in rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
