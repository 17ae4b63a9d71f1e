"""How fast the library implicit folds people in and ranks all items for them, on one thread.

    python3 -m venv /tmp/implicit && /tmp/implicit/bin/pip install -r peers/implicit_speed.txt
    /tmp/implicit/bin/python peers/implicit_speed.py > implicit.jsonl
    go run -C tools ./bench page -peers ../implicit.jsonl -o ../docs/performance.md

prints one JSON line, which `tools/bench` sets beside our own times on the same sizes: 10,000 items, 50 factors, 20
rated items a person, 10 recommended. Factors are random numbers: speed does not depend on what they say. `one_us` is the median
time to fold one person in and rank for them; `batch_per_s` the people a second when many are folded in and ranked by one call, and
`known_per_s` when they were in the training set and are only ranked. Fold-in is implicit's own for alternating least squares
(recalculate_user, exact by a Cholesky factorisation), items already rated filtered out as ours are.
"""

import os

for library in ("OMP", "OPENBLAS", "MKL"):  # before any of them is loaded
    os.environ[library + "_NUM_THREADS"] = "1"

import argparse
import json
import platform
import statistics
import time

import implicit
import numpy
from implicit.cpu.als import AlternatingLeastSquares
from scipy import sparse


def best(repeats, people, work):
    """People a second in the fastest of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return people / min(times)


def main():
    parser = argparse.ArgumentParser()
    for name, size in dict(items=10_000, factors=50, placed=20, top=10, people=4096, ones=500, repeats=5, seed=1).items():
        parser.add_argument("--" + name, type=int, default=size)
    o = parser.parse_args()
    random = numpy.random.default_rng(o.seed)
    model = AlternatingLeastSquares(factors=o.factors, num_threads=1)
    model.item_factors = random.normal(0, 0.1, (o.items, o.factors)).astype("float32")
    model.user_factors = random.normal(0, 0.1, (o.people, o.factors)).astype("float32")
    columns = numpy.concatenate([random.choice(o.items, o.placed, replace=False) for _ in range(o.people)])
    values = random.integers(1, 6, o.people * o.placed).astype("float32")
    rated = sparse.csr_matrix((values, columns, numpy.arange(o.people + 1) * o.placed), shape=(o.people, o.items))
    rated.sort_indices()
    ids = numpy.arange(o.people)

    single = []
    for n in range(o.ones):
        row = rated[n % o.people]
        start = time.perf_counter()
        model.recommend(0, row, N=o.top, recalculate_user=True)
        single.append(1e6 * (time.perf_counter() - start))
    print(json.dumps(dict(
        peer="implicit " + implicit.__version__, items=o.items, units=o.factors, placed=o.placed, top=o.top, threads=1,
        one_us=round(statistics.median(single), 1),
        batch_per_s=round(best(o.repeats, o.people, lambda: model.recommend(ids, rated, N=o.top, recalculate_user=True))),
        known_per_s=round(best(o.repeats, o.people, lambda: model.recommend(ids, rated, N=o.top))),
        python=platform.python_version(), numpy=numpy.__version__)))


if __name__ == "__main__":
    main()
