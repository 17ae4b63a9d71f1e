"""Quality over core seconds of training: this program beside other people's factorisations, in one run.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r peers/training.txt
    go build -o /tmp/fubini ./cmd/fubini
    /tmp/fubini data split ml-1m/ratings.dat --protocol random --share 0.2 --seed 5 -o /tmp/split
    /tmp/peers/bin/python peers/training.py /tmp/split /tmp/fubini --picture docs/pictures/training.svg

prints a table in Markdown, a row for each library and number of passes: seconds on one core, NDCG@10 of the held-out ratings, and
NDCG@10 of all items that a user has not rated in training, both with gains of 2^rating - 1; the picture has the curves. All run on
one thread. Our times are those of `fubini train` without calibration, reading and writing included; for whole catalogues with the
model of picks. Those of the others are of the fit alone.
Ranks and regularisation of the others are chosen from a small grid on a fifth of the training ratings; ours are the defaults.
"""

import os

for library in ("OMP", "OPENBLAS", "MKL"):  # before any of them is loaded
    os.environ[library + "_NUM_THREADS"] = "1"

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time

import numpy

from recommenders import design, grid
from split import Split


def myfm(split, passes, rank):
    import myfm as library

    model = library.MyFMGibbsRegressor(rank=rank, random_seed=1)
    start = time.process_time()
    model.fit(design(split, split.user, split.item), split.rating, n_iter=passes, n_kept_samples=max(1, passes - 10),
              group_shapes=[len(split.users), len(split.items)])
    spent = time.process_time() - start
    return spent, model.predict(design(split, split.test_user, split.test_item)), None  # all pairs would take minutes


def cmfrec(split, passes, k, lambda_):
    import pandas
    from cmfrec import CMF

    model = CMF(k=k, lambda_=lambda_, add_implicit_features=True, niter=passes, random_state=1, nthreads=1, verbose=False)
    data = pandas.DataFrame({"UserId": split.user, "ItemId": split.item, "Rating": split.rating})
    start = time.process_time()
    model.fit(X=data)
    spent = time.process_time() - start
    score = model.predict(user=split.test_user, item=split.test_item)
    where = numpy.full(len(split.items), -1)
    where[model.item_mapping_] = numpy.arange(len(model.item_mapping_))
    person = {int(u): k for k, u in enumerate(model.user_mapping_)}

    def row(u):
        own = model.B_ @ model.A_[person[u]] + model.item_bias_
        return numpy.where(where >= 0, own[where], -numpy.inf)

    return spent, numpy.where(numpy.isnan(score), split.rating.mean(), score), row


def libmf(split, passes, k, regularization):
    with contextlib.redirect_stdout(sys.stderr):  # it tells where it was installed
        from libmf import mf

    model = mf.MF(k=k, nr_iters=passes, lambda_p2=regularization, lambda_q2=regularization, eta=0.1, nr_threads=1, quiet=True)
    data = numpy.c_[split.user, split.item, split.rating].astype(numpy.float64)
    start = time.process_time()
    model.fit(data)
    spent = time.process_time() - start
    p, q = numpy.zeros((len(split.users), k)), numpy.zeros((len(split.items), k))  # items after the last that was rated have none
    for own, theirs in (p, model.p_factors()), (q, model.q_factors()):
        own[:len(theirs)] = numpy.nan_to_num(theirs)
    return spent, numpy.einsum("nk,nk->n", p[split.test_user], q[split.test_item]), lambda u: q @ p[u]


def implicit(split, passes, factors):
    from implicit.cpu.als import AlternatingLeastSquares
    from scipy import sparse

    # Ratings of four and five are picks, as in the library's example of MovieLens.
    liked = split.rating >= 4
    picks = sparse.csr_matrix((numpy.full(liked.sum(), 1.0, dtype=numpy.float32), (split.user[liked], split.item[liked])), (len(split.users), len(split.items)))
    model = AlternatingLeastSquares(factors=factors, iterations=passes, num_threads=1, random_state=1)
    start = time.process_time()
    model.fit(picks, show_progress=False)
    spent = time.process_time() - start
    p, q = model.user_factors, model.item_factors
    return spent, numpy.einsum("nk,nk->n", p[split.test_user], q[split.test_item]).astype(float), lambda u: q @ p[u]


def whole(split, row, top=10):
    """NDCG of all items that were not rated in training."""
    by_user = numpy.argsort(split.user, kind="stable")
    given = numpy.split(split.item[by_user], numpy.searchsorted(split.user[by_user], numpy.arange(1, len(split.users))))
    by_test = numpy.argsort(split.test_user, kind="stable")
    bounds = numpy.searchsorted(split.test_user[by_test], numpy.arange(len(split.users) + 1))
    discount = 1 / numpy.log2(numpy.arange(2, top + 2))
    values = []
    for u in numpy.unique(split.test_user):
        at = by_test[bounds[u]:bounds[u + 1]]
        gain = numpy.zeros(len(split.items))
        gain[split.test_item[at]] = 2.0 ** split.test_rating[at] - 1
        score = numpy.array(row(u), dtype=float)
        score[given[u]] = -numpy.inf
        first = numpy.argpartition(-score, top)[:top]
        first = first[numpy.argsort(-score[first], kind="stable")]
        ideal = numpy.sort(gain)[::-1][:top]
        values.append(float(gain[first] @ discount / (ideal @ discount)))
    return float(numpy.mean(values))


def ours(program, folder, passes, candidates):
    with tempfile.TemporaryDirectory() as made:
        before = os.times()
        subprocess.run([program, "train", f"{folder}/train.tsv", "--aim", "taste" if candidates == "rated" else "balanced", "--calibrate", "0",
                        "--set", f"epochs={passes}", "-j", "1", "--quiet", "-o", f"{made}/model.safetensors"], check=True)
        after = os.times()
    judged = subprocess.run([program, "evaluate", "--split", folder, "--models", "latent-osm", "--set", f"epochs={passes}", "--candidates", candidates,
                             "-j", "1", "--format", "json", "--quiet"], check=True, capture_output=True)
    line = json.loads(judged.stdout)
    line = line[0] if isinstance(line, list) else line
    return after.children_user + after.children_system - before.children_user - before.children_system, line["ndcg@10"]


# Library: function, settings to choose from, numbers of passes.
PEERS = {
    "myfm": (myfm, grid(rank=[8, 16]), [20, 50, 100, 200]),
    "cmfrec": (cmfrec, grid(k=[20, 50], lambda_=[5, 10, 20]), [1, 2, 5, 15]),
    "libmf": (libmf, grid(k=[20, 40], regularization=[0.03, 0.06, 0.12]), [5, 10, 20, 50]),
    "implicit": (implicit, grid(factors=[32, 64, 128]), [1, 3, 15]),
}


def chosen(split, fit, choices, passes):
    """The settings that order most pairs of held-back training ratings right; for implicit, which has another aim, find most."""
    inner = split.held_back(0.2, 1)

    def value(choice):
        _, score, row = fit(inner, passes, **choice)
        return whole(inner, row) if fit is implicit else inner.concordance(score)

    return max(choices, key=value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="with train.tsv and test.tsv")
    parser.add_argument("program", help="fubini")
    parser.add_argument("--peers", default=",".join(PEERS), help="libraries")
    parser.add_argument("--picture", help="file for the curves")
    args = parser.parse_args()
    split = Split(f"{args.folder}/train.tsv", f"{args.folder}/test.tsv")
    rows = []

    def add(name, passes, spent, rated, everything):
        rows.append((name, passes, spent, rated, everything))
        print(f"{name} {passes}: {spent:.1f} s, {rated} {everything}", file=sys.stderr, flush=True)

    for passes in (3, 5, 8, 15):
        spent, rated = ours(args.program, args.folder, passes, "rated")
        add("fubini, tiers", passes, spent, rated, None)
    spent, everything = ours(args.program, args.folder, 15, "all")
    add("fubini, tiers and interest", 15, spent, None, everything)
    for name in args.peers.split(","):
        fit, choices, counts = PEERS[name]
        choice = chosen(split, fit, choices, counts[-1])
        title = ", ".join([name] + [f"{key.rstrip('_')} {value:g}" for key, value in choice.items()])
        for passes in counts:
            spent, score, row = fit(split, passes, **choice)
            add(title, passes, spent, split.quality(score)["ndcg@10"], whole(split, row) if row else None)
    print("| | passes | core seconds | NDCG@10, rated items | NDCG@10, all items |\n|---|---:|---:|---:|---:|")
    show = lambda v: "" if v is None else f"{v:.4f}"
    for name, passes, spent, rated, everything in rows:
        print(f"| {name} | {passes} | {spent:.1f} | {show(rated)} | {show(everything)} |")
    if args.picture:
        draw(rows, args.picture)


def draw(rows, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "fubini", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6))
    libraries = list(dict.fromkeys(row[0].split(",")[0] for row in rows))
    for at, (axis, title) in enumerate(zip(axes, ("rated items", "all items"))):
        for name in dict.fromkeys(row[0] for row in rows):
            points = [(row[2], row[3 + at]) for row in rows if row[0] == name and row[3 + at] is not None]
            if points:
                axis.plot(*zip(*points), marker="o" if name.startswith("fubini") else "s", markersize=4, label=name,
                          color=f"C{libraries.index(name.split(',')[0])}", linewidth=2 if name.startswith("fubini") else 1)
        axis.set_xscale("log")
        axis.set_xlabel("core seconds")
        axis.set_title(f"NDCG@10 of {title}")
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
