#!/usr/bin/env python3
"""The model of picks and its rivals on whole catalogues: the tables of docs/interest.md.

    python peers/interest.py [--ideas] DATA WORK FUBINI NAME...

DATA is the folder of data sets, WORK one for splits and models, FUBINI the program, and each NAME one of ml-100k, ml-1m,
ml-latest-small, movietweetings. --ideas adds the forms that were tried, and more rivals. Needs NumPy and SciPy.

Of the people 15 % (at most 1,000) are new: no model is fitted to them. Of the ratings of the others a random fifth is held
out. Every setting, of the rivals and of the model, is chosen on the same kind of split of the training part (validation);
each rival has its best setting for every column, the model one setting for all columns. Scores are for all items that are
not in the list given. Columns: known people; new people given 5 items, 20 items, and four fifths of theirs. Figures:
NDCG@10 with gains 2^r - 1 (ratings on a scale to 5), NDCG@10 of ratings of at least 4, recall@20 of the same.
"""
import json
import os
import struct
import subprocess
import sys

import numpy as np
import scipy.linalg as linalg
import scipy.sparse as sparse
from scipy.sparse.linalg import svds

FILES = {"ml-100k": ("u.data", "\t", 0), "ml-1m": ("ratings.dat", "::", 0),
         "ml-latest-small": ("ratings.csv", ",", 1), "movietweetings": ("ratings.dat", "::", 0)}
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


class Picks:
    """The model of picks, as learn/interest fits it: weights between items, and a low-rank part that counts for more in short lists."""

    def __init__(self, problem, ridge=None, share=.5, length=.5, units=None, scale=.4, noise=4, of=GRADED, weights=None):
        self.of, self.noise = of, noise
        x = values(problem.lists, of)
        n = np.maximum(np.diff(x.indptr), 1)
        ridge = ridge or 7 * np.sqrt(len(n))
        weighted = sparse.diags(((n.mean() / n) ** (length / 2)).astype(np.float32)) @ x
        squares = np.asarray(weighted.multiply(weighted).sum(0)).ravel()
        self.weights = regression(weighted, (1 - share) / share * squares + np.float32(ridge)) if weights is None else weights
        evened = sparse.diags((n ** -.5).astype(np.float32)) @ x
        self.d = np.maximum(np.asarray(evened.multiply(evened).sum(0)).ravel(), 1e-6) ** scale
        units = min(units or round(.8 * np.sqrt(x.shape[0])), min(x.shape) - 1)
        _, roots, v = svds((evened @ sparse.diags(1 / self.d)).astype(np.float64), k=units, random_state=1)
        self.v, self.eigen = v.T, (roots / roots.max()) ** 2

    def parts(self, given):
        x = values(given, self.of)
        n = np.maximum(np.diff(x.indptr), 1)[:, None]
        smooth = ((x @ (self.v / self.d[:, None])) * (self.eigen / (self.eigen + self.noise / n))) @ (self.v.T * self.d)
        return {"n": n, "near": x @ self.weights, "smooth": smooth.astype(np.float32)}


def blend(parts, taste, smooth=.6, short=20, strength=.1):
    """The score: log of interest, continued by a line below 0.001, and the strength times the taste."""
    s = parts["near"] + smooth * (1 + (short / parts["n"]) ** 2) * parts["smooth"]
    return np.log(np.maximum(s, 1e-3)) + np.minimum(s - 1e-3, 0) / 1e-3 + strength * taste


class Taste:
    """latent-osm: the mean-field score of every item, from a model file (docs/recommending.md)."""

    def __init__(self, problem, work, fubini, name):
        csv, path = os.path.join(work, name + ".csv"), os.path.join(work, name + ".safetensors")
        if not os.path.exists(path):
            with open(csv, "w") as out:
                out.write("user,item,rating\n")
                out.writelines(f"{u},{problem.ids[i]},{r:g}\n" for u, i, r in zip(*problem.train))
            subprocess.run([fubini, "train", csv, "-o", path, "--calibrate", "0", "--quiet", "-j", "1"], check=True)
        data = open(path, "rb").read()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + length])
        self.shape = json.loads(header.pop("__metadata__")["latent"])
        types = {"F64": "<f8", "F32": "<f4", "U8": "u1", "U32": "<u4", "I64": "<i8"}
        t = {n: np.frombuffer(data[8 + length + a["data_offsets"][0]:8 + length + a["data_offsets"][1]], types[a["dtype"]]).reshape(a["shape"])
             for n, a in header.items()}
        text, ends = t["items.ids"].tobytes(), t["items.ids.offsets"]
        row = {text[a:b].decode(): k for k, (a, b) in enumerate(zip(ends[:-1], ends[1:]))}
        at = np.array([row.get(i, -1) for i in problem.ids])
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


def rivals(problem, wide):
    """All rivals with all their settings: name, setting, function that fits."""
    for name, of in (("popularity", PRESENCE), ("popularity, graded", lambda r: 2 ** r - 1)):
        yield name, "", lambda of=of: popularity(problem, of)
    grid = (50, 150, 500, 1500, 5000, 15000) if problem.lists.nnz < 200_000 else (500, 1500, 5000, 15000)
    forms = (("EASE, picks", PRESENCE), ("EASE, 4 or more", LIKED), ("EASE, graded", GRADED)) if wide else (("EASE, graded", GRADED),)
    for name, of in forms:
        for ridge in grid:
            yield name, f"{ridge}", lambda of=of, ridge=ridge: ease(problem, of, ridge)
    if wide:
        for k in (32, 64):
            for ridge in (.01, .03):
                yield "iALS", f"{k}, {ridge}", lambda k=k, ridge=ridge: ials(problem, k, ridge)


def settings():
    """Settings of the model's blend to choose from."""
    for smooth in (.3, .6, 1.2):
        for short in (20, 40):
            for strength in (.1, .2):
                yield dict(smooth=smooth, short=short, strength=strength)


def ideas(problem):
    """Forms of the model that were tried, by name."""
    for share in (1, .5, .2, .05):
        yield f"near: ridge 250, share {share}", lambda share=share: Picks(problem, 250, share), "near"
    for ridge in (100, 500, 1500):
        yield f"near: ridge {ridge}, share 0.5", lambda ridge=ridge: Picks(problem, ridge, .5), "near"
    for length in (0, 1):
        yield f"near: ridge 250, share 0.5, length {length}", lambda length=length: Picks(problem, 250, .5, length), "near"
    for name, of in (("picks", PRESENCE), ("4 or more", LIKED), ("gains", lambda r: (2 ** r - 1) / 16)):
        yield f"near: ridge 250, share 0.5, {name}", lambda of=of: Picks(problem, 250, .5, of=of), "near"
    for scale, units, noise in ((0, 16, 0), (0, 64, 0), (.25, 16, 0), (.25, 64, 0), (.5, 16, 0), (.25, 16, 4), (.25, 64, 1), (.25, 64, 4), (.25, 64, 16), (.4, 16, 4), (.4, 64, 4)):
        yield f"smooth: scale {scale}, {units} units, noise {noise}", lambda scale=scale, units=units, noise=noise: Picks(problem, 250, .5, .5, units, scale, noise), "smooth"


def limited(problem):
    """Items of fewer than three lists neither predict nor are predicted where there are more than 4,000: for memory and time."""
    if len(problem.ids) > 4000:
        keep = sparse.diags((problem.count >= 3).astype(np.float32)).tocsr()
        problem.lists = (problem.lists @ keep).tocsr()
        problem.lists.eliminate_zeros()
    return problem


def report(data, work, fubini, name, tried):
    users, items, ratings, ids = read(data, name)
    outer = split(users, 5)[0]
    test = limited(Problem(users, items, ratings, ids, 5))
    valid = limited(Problem(users[outer], items[outer], ratings[outer], ids, 1005, sample=500))
    figures = lambda problem, score: {c: judge(score(problem.cases[c][0]), *problem.cases[c]) for c in CASES}
    mean = lambda figure: np.nanmean(figure, axis=1)
    show = lambda label, result: print(f"| {label} | " + " | ".join(" / ".join(f"{v:.4f}"[1:] for v in mean(result[c])) for c in CASES) + " |", flush=True)
    print(f"\n### {name}\n\nValidation:\n\n| | " + " | ".join(CASES) + " |\n|---|" + "---|" * len(CASES), flush=True)
    best = {}
    for rival, setting, fit in rivals(valid, tried):
        result = figures(valid, fit())
        show(f"{rival} {setting}".strip(), result)
        for c in CASES:
            value = mean(result[c])[0]
            if value > best.get((rival, c), (0,))[0]:
                best[rival, c] = value, setting
    for idea, fit, part in ideas(valid) if tried else ():
        model = fit()
        show(idea, figures(valid, lambda given: model.parts(given)[part]))
    taste, picks = Taste(valid, work, fubini, name + "-valid"), None
    tastes = {c: taste(valid.cases[c][0]) for c in CASES}
    show("latent-osm", {c: judge(tastes[c], *valid.cases[c]) for c in CASES})
    chosen, chosen_scale, highest = None, None, 0
    for scale in (.25, .4):
        picks = Picks(valid, scale=scale, weights=picks and picks.weights)
        parts = {c: picks.parts(valid.cases[c][0]) for c in CASES}
        for part in ("near", "smooth"):
            show(f"{part} alone, scale {scale}", {c: judge(parts[c][part], *valid.cases[c]) for c in CASES})
        for setting in settings():
            result = {c: judge(blend(parts[c], tastes[c], **setting), *valid.cases[c]) for c in CASES}
            total = sum(mean(result[c])[0] / best["EASE, graded", c][0] for c in CASES)
            show(f"interest and taste: scale {scale}, " + ", ".join(f"{k} {v}" for k, v in setting.items()), result)
            if total > highest:
                chosen, chosen_scale, highest = setting, scale, total
    print(f"\nTest, with scale {chosen_scale}, {', '.join(f'{k} {v}' for k, v in chosen.items())}, and rivals with their best setting for each column:\n\n| | " + " | ".join(CASES) + " |\n|---|" + "---|" * len(CASES), flush=True)
    needed = {}
    for (rival, c), (_, setting) in best.items():
        needed.setdefault((rival, setting), []).append(c)
    tested = {}
    for rival, setting, fit in rivals(test, tried):
        if (rival, setting) in needed:
            score = fit()
            for c in needed[rival, setting]:
                tested.setdefault(rival, {})[c] = judge(score(test.cases[c][0]), *test.cases[c])
    for rival, result in tested.items():
        show(f"{rival}, {', '.join(best[rival, c][1] for c in CASES)}".rstrip(", "), result)
    taste, picks = Taste(test, work, fubini, name + "-test"), Picks(test, scale=chosen_scale)
    inputs = {c: (picks.parts(test.cases[c][0]), taste(test.cases[c][0])) for c in CASES}
    show("latent-osm", {c: judge(inputs[c][1], *test.cases[c]) for c in CASES})
    show("interest alone", {c: judge(blend(*inputs[c], **{**chosen, "strength": 0}), *test.cases[c]) for c in CASES})
    ours = {c: judge(blend(*inputs[c], **chosen), *test.cases[c]) for c in CASES}
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
    print("| ratio to the best rival (paired difference, 95 %) | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--ideas"]
    if len(words) < 4:
        sys.exit(__doc__)
    for each in words[3:]:
        report(*words[:3], each, "--ideas" in sys.argv)
