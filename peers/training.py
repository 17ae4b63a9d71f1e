"""Quality over core seconds of training: this program beside other people's factorisations, in one run.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r peers/training.txt
    go build -o /tmp/fubini ./cmd/fubini && go build -C beam -o /tmp/fubini-beam ./cmd/fubini-beam
    /tmp/fubini data split ml-1m/ratings.dat --protocol random --share 0.2 --seed 5 -o /tmp/split
    /tmp/peers/bin/python peers/training.py /tmp/split /tmp/fubini /tmp/fubini-beam --rows /tmp/rows.jsonl --picture docs/pictures/training.svg

prints a table in Markdown, a row for each library and number of passes: seconds on one core, the most memory of the process, NDCG@10 of
the held-out ratings, and NDCG@10 of all items that a user has not rated in training, both with gains of 2^rating - 1; the picture has the
curves. All run on one thread. Our times are those of `fubini train` without calibration, reading and writing included; for whole
catalogues with the model of picks. Those of the others are of the fit alone, in a process of its own that has the ratings in arrays, and
their memory is that of the fit.
Ranks and regularisation of the others are chosen from a small grid on a fifth of the training ratings, or are those of an earlier run
(--settings); ours are the defaults. With --rows what was measured is kept, and not measured again.
"""

import os

for library in ("OMP", "OPENBLAS", "MKL"):  # before any of them is loaded
    os.environ[library + "_NUM_THREADS"] = "1"
os.environ["TQDM_DISABLE"] = "1"  # the bars of myfm

import argparse
import contextlib
import json
import multiprocessing
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy

from recommenders import design, grid
from split import Split


def load(folder):
    """The split of a folder, as Split reads it, in a tenth of the time and memory."""
    import pandas

    parts = [pandas.read_csv(f"{folder}/{name}.tsv", sep="\t", header=None, usecols=[0, 1, 2], dtype={0: "category", 1: "category", 2: float}) for name in ("train", "test")]
    split = object.__new__(Split)
    rows = len(parts[0])
    for name, column in ("user", 0), ("item", 1):
        both = pandas.api.types.union_categoricals([part[column] for part in parts])
        codes, known = pandas.factorize(both)  # in the order in which they come
        setattr(split, name + "s", list(known))
        setattr(split, name, codes[:rows].astype(numpy.int64))
        setattr(split, "test_" + name, codes[rows:].astype(numpy.int64))
    split.rating, split.test_rating = (part[2].to_numpy() for part in parts)
    return split


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
        own = 2.0 ** split.test_rating[at] - 1
        gain = numpy.zeros(len(split.items))
        gain[split.test_item[at]] = own
        score = numpy.array(row(u), dtype=float)
        score[given[u]] = -numpy.inf
        first = numpy.argpartition(-score, top)[:top]
        first = first[numpy.argsort(-score[first], kind="stable")]
        ideal = numpy.sort(own)[::-1][:top]
        values.append(float(gain[first] @ discount / (ideal @ discount[:len(ideal)])))
    return float(numpy.mean(values))


def rated(split, score, top=10):
    """NDCG of the held-out items, that of Split.quality for all users at once: every place in a tie earns the tie's mean gain."""
    assert numpy.isfinite(score).all()
    gain = 2.0**split.test_rating - 1
    order, ideal = numpy.lexsort((-score, split.test_user)), numpy.lexsort((-gain, split.test_user))
    user, score = split.test_user[order], score[order]
    fresh = numpy.r_[True, user[1:] != user[:-1]]
    tie = numpy.flatnonzero(fresh | numpy.r_[True, score[1:] != score[:-1]])
    size = numpy.diff(numpy.r_[tie, len(user)])
    earned = numpy.repeat(numpy.add.reduceat(gain[order], tie) / size, size)
    start = numpy.flatnonzero(fresh)
    place = numpy.arange(len(user)) - numpy.repeat(start, numpy.diff(numpy.r_[start, len(user)]))
    discount = numpy.where(place < top, 1 / numpy.log2(place + 2.0), 0)
    return float(numpy.mean(numpy.add.reduceat(earned * discount, start) / numpy.add.reduceat(gain[ideal] * discount, start)))


def ours(programs, folder, passes, candidates):
    """Trains, and judges the model. Passes of None are the defaults. Returns the number of passes, core seconds, memory in MB and NDCG@10."""
    program, beam = programs
    quiet = ["-j", "1", "--quiet"]
    with tempfile.TemporaryDirectory() as made:
        model = f"{made}/model.safetensors"
        run = subprocess.Popen([program, "train", f"{folder}/train.tsv", "--aim", "taste" if candidates == "rated" else "balanced", "--calibrate", "0",
                                *(["--set", f"epochs={passes}"] if passes else []), *quiet, "-o", model])
        _, status, used = os.wait4(run.pid, 0)
        assert status == 0
        with open(model, "rb") as file:  # it begins with JSON, which has the history
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        done = len(json.loads(header["__metadata__"]["history"]))
        if candidates == "rated":
            judged = subprocess.run([beam, "evaluate", "--split", folder, "--trained", model, "--format", "json", *quiet], check=True, capture_output=True)
            value = json.loads(judged.stdout)[0]["ndcg@10"]
        else:
            subprocess.run([program, "recommend", model, "--users", f"{folder}/train.tsv", "-n", "10", "--no-odds", "--whole", *quiet, "-o", f"{made}/rows.jsonl"], check=True)
            value = apart(lambda: listed(load(folder), f"{made}/rows.jsonl"))
    return done, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, value


def listed(split, path):
    """NDCG of the items that a file names for each user, the best first."""
    import pandas

    rows = pandas.read_json(path, lines=True, dtype={"user": str, "item": str, "rank": int})
    user, item = ({str(name): k for k, name in enumerate(names)} for names in (split.users, split.items))
    gains = {(u, i): 2.0**r - 1 for u, i, r in zip(split.test_user.tolist(), split.test_item.tolist(), split.test_rating.tolist())}
    found, ideal = numpy.zeros(len(split.users)), numpy.zeros(len(split.users))
    for u, i, place in zip(rows["user"], rows["item"], rows["rank"]):
        found[user[u]] += gains.get((user[u], item[i]), 0) / numpy.log2(place + 1)
    order = numpy.lexsort((-split.test_rating, split.test_user))
    tested, start, count = numpy.unique(split.test_user[order], return_index=True, return_counts=True)
    place = numpy.arange(len(order)) - numpy.repeat(start, count)
    gain = 2.0 ** split.test_rating[order] - 1
    numpy.add.at(ideal, split.test_user[order], numpy.where(place < 10, gain / numpy.log2(place + 2.0), 0))
    return float(numpy.mean(found[tested] / ideal[tested]))


def apart(work):
    """What a function returns, in a process of its own, so that memory is that of its libraries alone."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(False)
    process = context.Process(target=lambda: there.send(work()))
    process.start()
    there.close()
    result = here.recv()
    process.join()
    return result


def alone(split, fit, passes, choice):
    """Fits and judges: core seconds, memory in MB, and both qualities."""
    spent, score, row = fit(split, passes, **choice)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    return spent, memory, rated(split, score), whole(split, row) if row else None


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

    return max(choices, key=lambda choice: apart(lambda: value(choice)))


class Rows:
    """Measurements, kept in a file if one is named."""

    def __init__(self, path):
        self.path, self.rows = path, []
        if path and os.path.exists(path):
            with open(path) as lines:
                self.rows = [json.loads(line) for line in lines]

    def find(self, **wanted):
        return next((row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())), None)

    def add(self, **row):
        self.rows.append(row)
        print(json.dumps(row), file=sys.stderr, flush=True)
        if self.path:
            with open(self.path, "a") as out:
                out.write(json.dumps(row) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="with train.tsv and test.tsv")
    parser.add_argument("program", help="fubini")
    parser.add_argument("beam", help="fubini-beam, which judges a model that is trained")
    parser.add_argument("--peers", default=",".join(["fubini", *PEERS]), help="libraries to measure; others are as in --rows")
    parser.add_argument("--passes", default="3,5,8,", help="passes of ours, the last the default")
    parser.add_argument("--most", action="append", default=[], metavar="LIBRARY=N", help="no more passes than this")
    parser.add_argument("--settings", help="file of --rows of another run, whose settings are used")
    parser.add_argument("--rows", help="file that measurements are kept in")
    parser.add_argument("--picture", help="file for the curves")
    args = parser.parse_args()
    rows, earlier = Rows(args.rows), Rows(args.settings)
    most = {name: int(count) for name, count in (each.split("=") for each in args.most)}
    names = args.peers.split(",")
    asked = [("fubini, tiers", passes, "rated") for passes in args.passes.split(",")] + [("fubini, tiers and interest", "", "all")]
    for title, passes, candidates in asked if "fubini" in names else []:
        if not rows.find(name=title, asked=passes):
            made, spent, memory, value = ours((args.program, args.beam), args.folder, passes, candidates)
            rows.add(name=title, asked=passes, passes=made, spent=spent, memory=memory, **{candidates: value})
    split = None
    for name in PEERS:
        if name not in names:
            continue
        split = split or load(args.folder)
        fit, choices, counts = PEERS[name]
        choice = (rows.find(chosen=name) or earlier.find(chosen=name) or {}).get("settings")
        if choice is None:
            choice = chosen(split, fit, choices, counts[-1])
        if not rows.find(chosen=name):
            rows.add(chosen=name, settings=choice)
        title = ", ".join([name] + [f"{key.rstrip('_')} {value:g}" for key, value in choice.items()])
        for passes in counts:
            if passes <= most.get(name, passes) and not rows.find(name=title, passes=passes):
                spent, memory, own, everything = apart(lambda: alone(split, fit, passes, choice))
                rows.add(name=title, passes=passes, spent=spent, memory=memory, rated=own, all=everything)
    print("| | passes | core seconds | memory, MB | NDCG@10, rated items | NDCG@10, all items |\n|---|---:|---:|---:|---:|---:|")
    show = lambda v: "" if v is None else f"{v:.4f}"
    measured = [row for row in rows.rows if "name" in row]
    libraries = ["fubini", *PEERS]
    measured.sort(key=lambda row: (libraries.index(re.match("[a-z]+", row["name"])[0]), row["name"], row["passes"]))
    for row in measured:
        print(f"| {row['name']} | {row['passes']} | {row['spent']:.1f} | {row['memory']:.0f} | {show(row.get('rated'))} | {show(row.get('all'))} |")
    if args.picture:
        draw([(row["name"], row["passes"], row["spent"], row.get("rated"), row.get("all")) for row in measured], args.picture)


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
