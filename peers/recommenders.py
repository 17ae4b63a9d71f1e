"""Other people's recommenders on our splits: witnesses for model/baseline.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r peers/recommenders.txt
    mvn -q -f peers/librec/pom.xml dependency:copy-dependencies -DoutputDirectory=/tmp/librec
    go run ./cmd/fubini data split ml-1m/ratings.dat --given 20 -o /tmp/split20
    /tmp/peers/bin/python peers/recommenders.py /tmp/split20 --models all

prints one JSON line a model: measures on the test ratings, the settings, seconds. A model with a grid is fitted to
four fifths of every user's training ratings with each of its settings; that which orders most pairs of the held-back
ratings right is then fitted to all. The script picks no settings by test ratings; README.md says how the grids came about.
"""

import argparse
import itertools
import json
import os
import subprocess
import tempfile
import time

import numpy

from split import Split


def grid(**choices):
    return [dict(zip(choices, values)) for values in itertools.product(*choices.values())]


def item_mean(split, args, shrink):
    count = numpy.bincount(split.item, minlength=len(split.items))
    total = numpy.bincount(split.item, weights=split.rating, minlength=len(split.items))
    return ((total + shrink * split.rating.mean()) / (count + shrink))[split.test_item]


def cornac_pmf(split, args, **settings):
    import cornac

    data = cornac.data.Dataset.from_uir(list(zip(split.user.tolist(), split.item.tolist(), split.rating.tolist())))
    model = cornac.models.PMF(seed=args.seed, verbose=False, **settings)
    model.fit(data)
    # The factors of an item without ratings are zero, the mean of their prior: the linear model then predicts 0, the
    # other the middle of the scale.
    low, high = split.rating.min(), split.rating.max()
    score = numpy.full(len(split.test_user), 0.0 if settings["variant"] == "linear" else (low + high) / 2)
    row, of = None, None
    for k in numpy.argsort(split.test_user, kind="stable"):
        user, item = (table.get(int(at[k])) for table, at in ((data.uid_map, split.test_user), (data.iid_map, split.test_item)))
        if user is None or item is None:
            continue
        if user != of:
            row, of = model.score(user), user
        score[k] = row[item]
    return score


def design(split, users, items):
    """One column for each user, then one for each item."""
    from scipy import sparse

    n = len(users)
    columns = numpy.r_[users, len(split.users) + items]
    return sparse.csr_matrix((numpy.ones(2 * n), (numpy.tile(numpy.arange(n), 2), columns)),
                             (n, len(split.users) + len(split.items)))


def myfm(split, args, rank, sweeps, probit=False):
    import myfm as library

    kind = library.MyFMOrderedProbit if probit else library.MyFMGibbsRegressor
    levels = numpy.unique(split.rating)
    target = numpy.searchsorted(levels, split.rating) if probit else split.rating
    model = kind(rank=rank, random_seed=args.seed)
    model.fit(design(split, split.user, split.item), target, n_iter=sweeps, n_kept_samples=sweeps - 10,
              group_shapes=[len(split.users), len(split.items)])
    test = design(split, split.test_user, split.test_item)
    return model.predict_proba(test) @ levels if probit else model.predict(test)


def met(rows, columns, shape):
    """Which columns each row has met in training, every row of length one."""
    from scipy import sparse

    cells = sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)), shape)
    return sparse.diags(1 / numpy.sqrt(numpy.maximum(1, cells.getnnz(axis=1)))) @ cells


def myfm_presence(split, args, rank, sweeps, probit=False):
    """Bayesian SVD++, on both sides: which items a user has rated joins in, and who has rated an item."""
    import myfm as library
    from scipy import sparse

    users, items = len(split.users), len(split.items)
    blocks = [sparse.hstack([sparse.identity(users), met(split.user, split.item, (users, items))]).tocsr(),
              sparse.hstack([sparse.identity(items), met(split.item, split.user, (items, users))]).tocsr()]

    def relations(*of):
        return [library.RelationBlock(numpy.asarray(at), block) for at, block in zip(of, blocks)]

    kind = library.MyFMOrderedProbit if probit else library.MyFMGibbsRegressor
    levels = numpy.unique(split.rating)
    target = numpy.searchsorted(levels, split.rating) if probit else split.rating
    model = kind(rank=rank, random_seed=args.seed)
    model.fit(None, target, X_rel=relations(split.user, split.item), n_iter=sweeps, n_kept_samples=sweeps - 10,
              group_shapes=[users, items, items, users])
    test = relations(split.test_user, split.test_item)
    return model.predict_proba(None, X_rel=test) @ levels if probit else model.predict(None, X_rel=test)


def cmfrec(split, args, k, lambda_):
    """Factorisation by alternating least squares with implicit features: who rated what, on both sides."""
    import pandas
    from cmfrec import CMF

    model = CMF(k=k, lambda_=lambda_, add_implicit_features=True, niter=30, use_cg=False, random_state=args.seed, nthreads=1, verbose=False)
    model.fit(X=pandas.DataFrame({"UserId": split.user, "ItemId": split.item, "Rating": split.rating}))
    score = model.predict(user=split.test_user, item=split.test_item)
    return numpy.where(numpy.isnan(score), split.rating.mean(), score)  # an item without ratings


def librec_listrank(split, args, factors, regularization, iterations):
    with tempfile.TemporaryDirectory() as folder:
        train, test, scores = (f"{folder}/{name}" for name in ("train.tsv", "test.tsv", "scores"))
        split.write(train, test)
        subprocess.run(
            ["java", "-cp", f"{args.librec}/*", "peers/librec/ListRank.java", train, test, scores,
             f"rec.random.seed={args.seed}", f"rec.factor.number={factors}", f"rec.iterator.maximum={iterations}",
             f"rec.user.regularization={regularization}", f"rec.item.regularization={regularization}",
             "rec.iterator.learnrate=1.0", "rec.iterator.learnrate.maximum=100", "rec.learnrate.bolddriver=false",
             "rec.learnrate.decay=1.0"],
            check=True, capture_output=True)
        return numpy.loadtxt(scores)


# Name: function, settings to choose from. LibRec's own settings for ListRankMF are 5 factors, regularization 0.01,
# 300 iterations; cornac's for PMF are the non-linear variant, k=5, 100 iterations, rate 0.001, lambda 0.001.
MODELS = {
    "item-mean": (item_mean, grid(shrink=[5])),
    "cornac-pmf": (cornac_pmf, grid(variant=["linear"], k=[5, 10, 50], learning_rate=[0.005],
                                    lambda_reg=[0.05, 0.1, 0.2], max_iter=[25, 50, 100])
                   + grid(variant=["non_linear"], k=[5, 10], learning_rate=[0.001],
                          lambda_reg=[0.001, 0.01], max_iter=[100])),
    "cornac-pmf-baseline": (cornac_pmf, grid(variant=["linear"], k=[50], learning_rate=[0.005], lambda_reg=[0.05],
                                             max_iter=[100])),
    "cornac-pmf-default": (cornac_pmf, grid(variant=["non_linear"], k=[5])),
    "myfm": (myfm, grid(rank=[10], sweeps=[200])),
    "myfm-probit": (myfm, grid(rank=[10], sweeps=[200], probit=[True])),
    "myfm-presence": (myfm_presence, grid(rank=[10], sweeps=[200])),
    "myfm-presence-tuned": (myfm_presence, grid(rank=[4, 8, 16], sweeps=[200], probit=[False, True])),
    "cmfrec": (cmfrec, grid(k=[10, 20, 40], lambda_=[5, 10, 20, 40])),
    "librec-listrank": (librec_listrank, grid(factors=[5, 10], regularization=[0.003, 0.01, 0.02, 0.03, 0.05],
                                              iterations=[300])),
    "librec-listrank-default": (librec_listrank, grid(factors=[5], regularization=[0.01], iterations=[300])),
}


def processor_seconds():
    """Of this process and its children; on a busy machine seconds on the wall say little."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="with train.tsv and test.tsv")
    parser.add_argument("--models", default="all", help=", ".join(MODELS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--librec", default="/tmp/librec", help="folder of LibRec's jars")
    parser.add_argument("--folds", type=int, default=1, help="times that ratings are held back to choose settings")
    parser.add_argument("--scores", metavar="PREFIX", help="also write user, item and score of every test rating to PREFIXmodel.tsv")
    parser.add_argument("--tried", action="store_true", help="a line for each setting tried as well")
    args = parser.parse_args()
    split = Split(f"{args.folder}/train.tsv", f"{args.folder}/test.tsv")
    inner = [split.held_back(0.2, args.seed + n) for n in range(args.folds)]
    for name in MODELS if args.models == "all" else args.models.split(","):
        fit, choices = MODELS[name]
        start = time.time()
        best, settings = 0.0, choices[0]
        for choice in choices if len(choices) > 1 else []:
            held = numpy.mean([each.concordance(fit(each, args, **choice)) for each in inner])
            if args.tried:
                print(json.dumps({"tried": name} | choice | {"held": round(float(held), 4)}), flush=True)
            if held > best:
                best, settings = held, choice
        chosen, used = time.time(), processor_seconds()
        score = fit(split, args, **settings)
        if args.scores:
            with open(f"{args.scores}{name}.tsv", "w") as out:
                out.writelines(f"{split.users[u]}\t{split.items[i]}\t{v:.9g}\n" for u, i, v in zip(split.test_user, split.test_item, score))
        took = {"fit_s": round(time.time() - chosen, 2), "cpu_s": round(processor_seconds() - used, 2)}
        line = {"model": name} | split.quality(score) | took | {"settings": settings}
        if len(choices) > 1:
            line |= {"grid": len(choices), "grid_s": round(chosen - start, 1), "held": round(float(best), 4)}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
