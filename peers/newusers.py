"""New users, rated items: people in no training part, of whom N ratings are given, folded in, and their other ratings ranked.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r peers/recommenders.txt
    go build -o /tmp/fubini ./cmd/fubini
    /tmp/peers/bin/python peers/newusers.py ml-1m /tmp/fubini --given 10,20,50 --seeds 1,2,3

prints a table in Markdown, a row for each model: NDCG@5 and NDCG@10, means over users and splits, and how far ours is ahead in each split.
Models are folded in from the given ratings without being fitted again: ours, our bayesian-mf, and cmfrec with implicit features,
whose regularisation is chosen on a fifth of the training ratings. Refitted are ours and bayesian-mf with the given ratings among the training
ratings: what folding in could reach at best.
"""

import argparse
import json
import os
import subprocess
import tempfile

import numpy

from recommenders import grid
from split import Split


def evaluated(program, folder, models):
    made = subprocess.run([program, "evaluate", "--split", folder, "--models", models, "--format", "json", "--quiet"], check=True, capture_output=True)
    lines = json.loads(made.stdout)
    return {line["model"]: (line["ndcg@5"], line["ndcg@10"]) for line in (lines if isinstance(lines, list) else [lines])}


def cmfrec(folder, seed):
    import pandas
    from cmfrec import CMF
    from scipy import sparse

    frame = lambda user, item, rating: pandas.DataFrame({"UserId": user, "ItemId": item, "Rating": rating})

    def fitted(split, k, lambda_):
        model = CMF(k=k, lambda_=lambda_, add_implicit_features=True, niter=30, random_state=seed, nthreads=1, verbose=False)
        return model.fit(X=frame(split.user, split.item, split.rating))

    trained = Split(f"{folder}/train.tsv", f"{folder}/known.tsv")  # known ratings have the place of test ratings
    inner = object.__new__(Split)
    inner.__dict__.update(trained.__dict__)
    inner = inner.held_back(0.2, seed)

    def held(choice):
        score = fitted(inner, **choice).predict(user=inner.test_user, item=inner.test_item)
        return inner.concordance(numpy.where(numpy.isnan(score), inner.rating.mean(), score))

    choice = max(grid(k=[10, 20], lambda_=[10, 20, 40]), key=held)
    model = fitted(trained, **choice)
    asked = Split(f"{folder}/known.tsv", f"{folder}/test.tsv")
    number = {name: n for n, name in enumerate(trained.items)}
    item = numpy.array([number.get(name, -1) for name in asked.items])
    column = numpy.full(len(trained.items) + 1, -1)  # of the model's items; the last place is that of unknown ones
    column[model.item_mapping_] = numpy.arange(len(model.item_mapping_))
    given, wanted = column[item[asked.item]], column[item[asked.test_item]]
    known = given >= 0
    lists = sparse.csr_matrix((asked.rating[known], (asked.user[known], given[known])), (len(asked.users), len(model.item_mapping_)))
    factors = model.factors_multiple(X=lists)
    score = numpy.einsum("nk,nk->n", factors[asked.test_user], model.B_[wanted]) + model.item_bias_[wanted]
    score[wanted < 0] = 0  # an item that nobody rated, as one of the mean
    quality = asked.quality(score)
    return quality["ndcg@5"], quality["ndcg@10"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("program")
    parser.add_argument("--given", default="10,20,50")
    parser.add_argument("--seeds", default="1,2,3")
    args = parser.parse_args()
    print("| given | model | NDCG@5 | NDCG@10 | ours ahead in NDCG@5, by split |\n|---:|---|---:|---:|---|")
    for given in args.given.split(","):
        rows = {}
        for seed in args.seeds.split(","):
            with tempfile.TemporaryDirectory() as work:
                folder, inside = f"{work}/split", f"{work}/inside"
                subprocess.run([args.program, "data", "split", args.data, "--protocol", "user", "--given", given, "--seed", seed, "-o", folder, "--quiet"], check=True)
                os.mkdir(inside)
                with open(f"{inside}/train.tsv", "w") as out:
                    out.writelines(open(f"{folder}/{name}.tsv").read() for name in ("train", "known"))
                os.link(f"{folder}/test.tsv", f"{inside}/test.tsv")
                made = {f"{name}, folded in": value for name, value in evaluated(args.program, folder, "latent-osm,bayesian-mf,item-mean").items()}
                made["cmfrec with implicit features, folded in"] = cmfrec(folder, int(seed))
                made |= {f"{name}, refitted": value for name, value in evaluated(args.program, inside, "latent-osm,bayesian-mf").items()}
                for name, value in made.items():
                    rows.setdefault(name, []).append(value)
        ours = numpy.array(rows["latent-osm, folded in"])
        for name, values in sorted(rows.items(), key=lambda row: -numpy.mean([v[0] for v in row[1]])):
            mean = numpy.mean(values, axis=0)
            ahead = ", ".join(f"{v:+.4f}" for v in ours[:, 0] - numpy.array(values)[:, 0]) if name != "latent-osm, folded in" else ""
            print(f"| {given} | {name.replace('item-mean, folded in', 'item-mean')} | {mean[0]:.4f} | {mean[1]:.4f} | {ahead} |", flush=True)


if __name__ == "__main__":
    main()
