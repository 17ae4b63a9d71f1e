#!/usr/bin/env python3
"""The model of picks and its rivals on whole catalogues, on the splits of docs/interest-quality.md.

    python peers/interest.py DATA WORK FUBINI NAME...

DATA is the folder of data sets, WORK one for splits and models, FUBINI the program, and each NAME one of ml-100k, ml-1m,
ml-latest-small, movietweetings. Needs NumPy and SciPy. The model of picks is that of the model file that FUBINI trains.

Of the people 15 % (at most 1,000) are new: no model is fitted to them. Of the ratings of the others a random fifth is held
out. Each rival has its best setting on validation data for every column; the model chooses its own from the training
data, once for all columns. Scores are for all items that are not in the list given. Columns: known people; new people
given 5 items, 20 items, and four fifths of theirs. Figures: NDCG@10 with gains 2^r - 1 (ratings on a scale to 5),
NDCG@10 of ratings of at least 4, recall@20 of the same.
"""
import json
import os
import struct
import subprocess
import sys

import numpy as np
import scipy.linalg as linalg
import scipy.sparse as sparse

FILES = {"ml-100k": ("u.data", "\t", 0), "ml-1m": ("ratings.dat", "::", 0),
         "ml-latest-small": ("ratings.csv", ",", 1), "movietweetings": ("ratings.dat", "::", 0)}
# Ridges of EASE for each column, the best on validation data: the mean over splits by seeds 1 and 2 of the training part
# of the split below, over 20, 50, 150, 500, 1500, 5000. MovieLens 1M: a split by seed 1005 of the training part of the
# split by seed 5, over 500, 1500, 5000, 15000.
CHOSEN = {"ml-100k": (500, 5000, 1500, 500), "ml-1m": (500, 15000, 5000, 500),
          "ml-latest-small": (150, 5000, 500, 20), "movietweetings": (500, 1500, 500, 150)}
SEED = 29  # of the split
CASES = ["known", "new 5", "new 20", "new 4/5"]


def read(data, name):
    """People, items and ratings on a scale to 5, by number, and the ids of items."""
    file, separator, skip = FILES[name]
    users, items, seen = {}, {}, {}
    with open(os.path.join(data, name, file)) as lines:
        for line in list(lines)[skip:]:
            user, item, rating = line.strip().split(separator)[:3]
            seen[users.setdefault(user, len(users)), items.setdefault(item, len(items))] = float(rating)
    pairs, ratings = np.array(list(seen)), np.array(list(seen.values()))
    return pairs[:, 0], pairs[:, 1], ratings * 5 / ratings.max(), list(items)


def split(users, seed):
    """Masks of ratings: training, held out of known people, of new people."""
    random = np.random.default_rng(seed)
    people = np.unique(users)
    new = np.isin(users, random.choice(people, min(1000, int(.15 * len(people))), replace=False))
    held = random.random(len(users)) < .2
    return ~new & ~held, ~new & held, new


class Problem:
    """Training lists and, for each column, the lists given and the ratings to find. Matrices hold rating + 1."""

    def __init__(self, users, items, ratings, ids, seed, sample=1500):
        train, held, new = split(users, seed)
        self.ids, self.train = ids, (users[train], items[train], ratings[train])
        matrix = lambda which, people: sparse.csr_matrix(
            (ratings[which] + 1, (np.searchsorted(people, users[which]), items[which])), shape=(len(people), len(ids)))
        known = np.unique(users[train])
        self.lists = matrix(np.flatnonzero(train), known)
        self.count = np.asarray((self.lists > 0).sum(0)).ravel()
        random = np.random.default_rng(77)
        held = held & np.isin(users, known)
        some = np.sort(random.permutation(np.unique(users[held]))[:sample])
        mine = np.isin(users, some)
        self.cases = {"known": (matrix(np.flatnonzero(train & mine), some), matrix(np.flatnonzero(held & mine), some))}
        order = random.permutation(np.flatnonzero(new))
        order = order[np.argsort(users[order], kind="stable")]
        _, first, which, count = np.unique(users[order], return_index=True, return_inverse=True, return_counts=True)
        place, length = np.arange(len(order)) - first[which], count[which]
        for case, given in (("new 5", 5), ("new 20", 20), ("new 4/5", np.round(.8 * length))):
            enough = length > np.maximum(given, 4)
            people = np.unique(users[order[enough]])[:sample]
            enough &= np.isin(users[order], people)
            self.cases[case] = (matrix(order[enough & (place < given)], people), matrix(order[enough & (place >= given)], people))


def judge(scores, given, test):
    """The three figures for every person; NaN for somebody with nothing to find."""
    scores = np.array(scores, np.float32)
    scores[given.nonzero()] = -np.inf
    top = np.argpartition(-scores, 20, axis=1)[:, :20]
    top = np.take_along_axis(top, np.argsort(-np.take_along_axis(scores, top, 1), axis=1, kind="stable"), 1)
    test = test.toarray()
    good, gain = (test >= 5).astype(float), np.where(test > 0, 2. ** (test - 1) - 1, 0)
    discount = 1 / np.log2(np.arange(2, 12))

    def ndcg(gain):
        ideal = -np.sort(np.partition(-gain, 10, axis=1)[:, :10], axis=1) @ discount
        got = np.take_along_axis(gain, top[:, :10], 1) @ discount
        return got / np.where(ideal > 0, ideal, np.nan)

    found = good.sum(1)
    recall = np.take_along_axis(good, top, 1).sum(1) / np.where(found > 0, np.minimum(found, 20), np.nan)
    return np.stack([ndcg(gain), ndcg(good), recall])


def values(lists, of):
    """The lists with a function of the rating in place of rating + 1."""
    out = lists.astype(np.float32)
    out.data = of(out.data - 1).astype(np.float32)
    return out


PRESENCE, GRADED, LIKED = np.ones_like, lambda r: r / 4, lambda r: (r >= 4) * 1.


def inverse(a):
    """Inverse of a symmetric positive definite matrix, by LAPACK."""
    factor, info = linalg.lapack.spotrf(a, lower=1, overwrite_a=1)
    assert info == 0
    p, info = linalg.lapack.spotri(factor, lower=1, overwrite_c=1)
    assert info == 0
    return np.tril(p) + np.tril(p, -1).T


def regression(x, ridge):
    """Weights of the regression of every item on the others, for lists x and a ridge, one or for each item."""
    some = np.flatnonzero(np.diff(x.tocsc().indptr))  # the others have no weights
    a = (x[:, some].T @ x[:, some]).toarray()
    a[np.diag_indices_from(a)] += np.broadcast_to(ridge, x.shape[1])[some].astype(np.float32)
    p = inverse(a)
    p /= -np.diag(p)
    np.fill_diagonal(p, 0)
    weights = np.zeros((x.shape[1], x.shape[1]), np.float32)
    weights[np.ix_(some, some)] = p
    return weights


def ease(problem, of, ridge):
    """EASE (Steck, 2019): the plain form, a rival."""
    weights = regression(values(problem.lists, of), np.float32(ridge))
    return lambda given: values(given, of) @ weights


def popularity(problem, of):
    """Sum of a function of the ratings."""
    total = np.asarray(values(problem.lists, of).sum(0)).ravel()
    return lambda given: np.tile(total, (given.shape[0], 1))


def ials(problem, k, ridge, unseen=.1, passes=8):
    """iALS with the regularisation of Rendle and others (2022), on picks: a rival."""
    def solve(v, x):
        gram, out = unseen * v.T @ v, np.zeros((x.shape[0], k), np.float32)
        for u in range(x.shape[0]):
            own = v[x.indices[x.indptr[u]:x.indptr[u + 1]]]
            out[u] = np.linalg.solve(gram + own.T @ own + np.float32(ridge * (len(own) + unseen * len(v))) * np.eye(k, dtype=np.float32), own.sum(0))
        return out

    x = values(problem.lists, PRESENCE)
    v = np.random.default_rng(1).normal(0, .1 / np.sqrt(k), (x.shape[1], k)).astype(np.float32)
    turned = x.T.tocsr()
    for _ in range(passes):
        v = solve(solve(v, x), turned)
    return lambda given: solve(v, values(given, PRESENCE)) @ v.T


def tensors(path):
    """The header and the tensors of a model file."""
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    about = header.pop("__metadata__", {})
    types = {"F64": "<f8", "F32": "<f4", "U8": "u1", "U32": "<u4", "I64": "<i8"}
    return about, {n: np.frombuffer(data[8 + length + a["data_offsets"][0]:8 + length + a["data_offsets"][1]], types[a["dtype"]]).reshape(a["shape"])
                   for n, a in header.items()}


def rows(t, ids):
    """The row in a model file of each item, -1 where it has none."""
    text, ends = t["items.ids"].tobytes(), t["items.ids.offsets"]
    row = {text[a:b].decode(): k for k, (a, b) in enumerate(zip(ends[:-1], ends[1:]))}
    return np.array([row.get(i, -1) for i in ids])


class Interest:
    """The model of picks of a model file, scored as package model/interest does."""

    def __init__(self, path, ids):
        _, t = tensors(path)
        self.at, n = rows(t, ids), len(t["interest.average"])
        self.near = sparse.csr_matrix((t["interest.near.value"], t["interest.near.target"], t["interest.near.start"]), shape=(n, n))
        self.q, self.gain, self.eigen, self.factor = (t["interest." + k] for k in ("in", "gain", "eigen", "factor"))
        self.low, self.high, self.smooth, self.short, self.noise, self.taste = t["interest.shape"]
        self.lowest = t.get("interest.lowest", [.25])[0]  # older files lack it
        self.long = t.get("interest.long", [self.short])[0]
        some = t["interest.average"] > 0
        self.popularity = np.polyfit(np.log(t["interest.average"][some]), np.log(self.factor[some]), 1)[0] if some.sum() > 1 else 0.

    def __call__(self, given):
        known, n = self.at >= 0, len(self.factor)
        x = given[:, known].tocoo()
        weight = self.lowest + (1.25 - self.lowest) * (x.data - 1 - self.low) / (self.high - self.low)
        x = sparse.csr_matrix((weight, (x.row, self.at[known][x.col])), shape=(given.shape[0], n))
        length = np.maximum(np.diff(x.indptr), 1)[:, None]
        near = (x @ self.near).toarray()
        smooth = (x @ self.q * (self.eigen / (self.eigen + self.noise / length))) @ self.q.T * self.gain
        near[x.nonzero()] = smooth[x.nonzero()] = 0
        size = lambda a: np.sqrt((a ** 2).sum(1, keepdims=True))
        ratio = np.where((size(near) > 0) & (size(smooth) > 0), size(near) / np.maximum(size(smooth), 1e-300), 1)
        c = self.smooth * (20 / length) ** np.where(length > 20, self.long, self.short)
        scores = np.full(given.shape, -1., np.float32)
        scores[:, known] = (self.factor * (near + c * ratio * smooth) / (1 + c))[:, self.at[known]]
        return scores

    def balanced(self, scores, taste):
        """Log of interest, continued by a line below 0.001, and the strength times the taste."""
        return np.log(np.maximum(scores, 1e-3)) + np.minimum(scores - 1e-3, 0) / 1e-3 + self.taste * taste


class Taste:
    """latent-osm: the mean-field score of every item, from a model file (docs/recommending.md)."""

    def __init__(self, problem, work, fubini, name):
        csv, path = os.path.join(work, name + ".csv"), os.path.join(work, name + ".safetensors")
        if not os.path.exists(path):
            with open(csv, "w") as out:
                out.write("user,item,rating\n")
                out.writelines(f"{u},{problem.ids[i]},{r:g}\n" for u, i, r in zip(*problem.train))
            subprocess.run([fubini, "train", csv, "-o", path, "--calibrate", "0", "--quiet", "-j", "1"], check=True)
        about, t = tensors(path)
        self.shape, at = json.loads(about["latent"]), rows(t, problem.ids)
        self.has = at >= 0
        place = lambda a: np.where(self.has.reshape((-1,) + (1,) * (a.ndim - 1)), a[at], 0)
        self.u, self.w, self.v = place(t["u"]), place(t["W"]), place(t["v"])
        self.u = np.where(self.has, self.u, t["u"].min())
        self.b, self.tie = t["b"], t["nu_k"]

    def __call__(self, given):
        out = np.empty(given.shape, np.float32)
        for k in range(given.shape[0]):
            items, r = given[k].indices, given[k].data
            items, r = items[self.has[items]], r[self.has[items]]
            n, unit = len(items), self.b.copy()
            if n:
                scale = self.shape["size"] / (n - 1) if self.shape["size"] > 0 and n > 1 else 1
                below = (r[:, None] > r).sum(1) + ((r[:, None] == r).sum(1) - 1) / 2
                ties = np.unique(r, return_counts=True)[1]
                unit += scale * ((below - (n - 1) / 2 * self.shape["centred"]) @ self.w[items] + (ties * (ties - 1) / 2).sum() * self.tie)
                unit += self.v[items].sum(0) / np.sqrt(n)
            out[k] = self.u + self.w @ unit + ((self.w * self.v).sum(1) / np.sqrt(n) if n else 0)
            out[k] -= out[k][self.has].mean()
        return out


def rivals(problem, name):
    """All rivals: name, the setting of each column, function that fits one."""
    for rival, of in (("popularity", PRESENCE), ("popularity, graded", lambda r: 2 ** r - 1)):
        yield rival, ("",) * 4, lambda _, of=of: popularity(problem, of)
    yield "EASE, graded", CHOSEN[name], lambda ridge: ease(problem, GRADED, ridge)
    if name == "ml-100k":
        yield "EASE, 4 or more", (500, 5000, 500, 150), lambda ridge: ease(problem, LIKED, ridge)
        yield "iALS, 64 factors", (.03,) * 4, lambda ridge: ials(problem, 64, ridge)


def limited(problem):
    """Items of fewer than three lists neither predict nor are predicted where there are more than 4,000: for memory and time."""
    if len(problem.ids) > 4000:
        keep = sparse.diags((problem.count >= 3).astype(np.float32)).tocsr()
        problem.lists = (problem.lists @ keep).tocsr()
        problem.lists.eliminate_zeros()
    return problem


def report(data, work, fubini, name):
    users, items, ratings, ids = read(data, name)
    test = limited(Problem(users, items, ratings, ids, SEED))
    mean = lambda figure: np.nanmean(figure, axis=1)
    show = lambda label, result: print(f"| {label} | " + " | ".join(" / ".join(f"{v:.4f}"[1:] for v in mean(result[c])) for c in CASES) + " |", flush=True)
    taste = Taste(test, work, fubini, name + "-test")
    path = os.path.join(work, name + "-picks.safetensors")
    picks = Interest(path if os.path.exists(path) else os.path.join(work, name + "-test.safetensors"), ids)
    print(f"\n### {name}\n\nChosen in the fit: smooth {picks.smooth:.2f}, short {picks.short:.2f}, long {picks.long:.2f}, popularity {picks.popularity:.2f}.\n")
    print("| | " + " | ".join(CASES) + " |\n|---|" + "---|" * len(CASES), flush=True)
    tested = {}
    for rival, settings, fit in rivals(test, name):
        tested[rival] = {}
        for setting in dict.fromkeys(settings):
            score = fit(setting)
            for c, own in zip(CASES, settings):
                if own == setting:
                    tested[rival][c] = judge(score(test.cases[c][0]), *test.cases[c])
        show(f"{rival}, {', '.join(map(str, settings))}".rstrip(", "), tested[rival])
    inputs = {c: (picks(test.cases[c][0]), taste(test.cases[c][0])) for c in CASES}
    show("latent-osm", {c: judge(inputs[c][1], *test.cases[c]) for c in CASES})
    show("interest alone", {c: judge(inputs[c][0], *test.cases[c]) for c in CASES})
    ours = {c: judge(picks.balanced(*inputs[c]), *test.cases[c]) for c in CASES}
    show("**interest and taste**", ours)
    cells = []
    for c in CASES:
        strongest = [max(tested, key=lambda rival: mean(tested[rival][c])[k]) for k in range(3)]
        text = []
        for k, rival in enumerate(strongest):
            gap = ours[c][k] - tested[rival][c][k]
            gap = gap[~np.isnan(gap)]
            ratio = mean(ours[c])[k] / mean(tested[rival][c])[k]
            text.append(f"{ratio:.3f} ({gap.mean():+.4f} ± {1.96 * gap.std(ddof=1) / np.sqrt(len(gap)):.4f})")
        cells.append("<br>".join(text))
    print("| ratio to the best baseline (paired difference, 95 %) | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    for each in sys.argv[4:]:
        report(*sys.argv[1:4], each)
