"""Our models of picks against other people's, on a split that `fubini data split` wrote: EASE against NumPy and item-kNN against the
library implicit, score by score; iALS against NumPy by its objective; iALS, BPR-MF and item-kNN against implicit by NDCG@10 over all items.

    fubini data split ml-100k --protocol random --share 0.2 --seed 5 -o SPLIT
    python peers/picks.py SPLIT FUBINI WORK

FUBINI is the program; WORK a folder for models. It exits with an error where scores of EASE or of item-kNN differ by more than 1e-6, the
objective of iALS by more than 1 %, or an NDCG@10 is below that of the library by more than three standard errors of the difference. Versions: picks.txt.
"""

import json
import os
import subprocess
import sys

import implicit
import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.bpr import BayesianPersonalizedRanking
from implicit.nearest_neighbours import CosineRecommender
from scipy import sparse
from split import Split

folder, fubini, work = sys.argv[1:4]
os.makedirs(work, exist_ok=True)
split = Split(os.path.join(folder, "train.tsv"), os.path.join(folder, "test.tsv"))
shape = len(split.users), len(split.items)
low, high = split.rating.min(), split.rating.max()
trained = sparse.csr_matrix((np.ones(len(split.user)), (split.user, split.item)), shape)
test = np.zeros(shape, np.float32)
test[split.test_user, split.test_item] = split.test_rating
judged = np.flatnonzero(test.any(1))
failures = []


def check(what, right):
    print(("as it should be: " if right else "WRONG: ") + what, flush=True)
    if not right:
        failures.append(what)


def weights(of):
    """The lists with a weight for each pick."""
    w = {"equal": np.ones_like(split.rating), "graded": .1 + .9 * (split.rating - low) / (high - low),
         "liked": (split.rating >= low + .75 * (high - low)) * 1.}[of]
    x = sparse.csr_matrix((w, (split.user, split.item)), shape)
    x.eliminate_zeros()
    return x


def ndcg(scores):
    """NDCG@10 with gains 2^r - 1 of everybody with test ratings, over all items without a training rating."""
    scores = np.array(scores[judged], np.float64)
    scores[trained[judged].nonzero()] = -np.inf
    top = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    gain = np.where(test[judged] > 0, 2. ** test[judged] - 1, 0)
    discount = 1 / np.log2(np.arange(2, 12))
    return (np.take_along_axis(gain, top, 1) @ discount) / (-np.sort(-gain, axis=1)[:, :10] @ discount)


def run(*words):
    return subprocess.run([fubini, *words, "--quiet", "-j", "1"], check=True, capture_output=True, text=True).stdout


def ours(model, **settings):
    """NDCG@10 of our model for the same people."""
    sets = [f"--set={name}={value}" for name, value in settings.items()]
    path = os.path.join(work, "users.csv")
    run("evaluate", "--split", folder, "--models", model, "--candidates", "all", "--format", "json", "--per-user", path, *sets)
    with open(path) as lines:
        names = next(lines).rstrip("\n").split(",")
        rows = [line.rstrip("\n").split(",") for line in lines]
    values = {row[names.index("user")]: float(row[names.index("ndcg@10")]) for row in rows}
    return np.array([values[split.users[u]] for u in judged])


def compare(name, mine, theirs):
    gap = mine - theirs
    error = gap.std(ddof=1) / np.sqrt(len(gap))
    check(f"{name}: NDCG@10 {mine.mean():.4f}, theirs {theirs.mean():.4f}, difference {gap.mean():+.4f} with standard error {error:.4f}", gap.mean() > -3 * error)


def train(model, **settings):
    path = os.path.join(work, model + ".safetensors")
    run("train", os.path.join(folder, "train.tsv"), "--model", model, "-o", path, *[f"--set={name}={value}" for name, value in settings.items()])
    return path


def ease(x, ridge):
    """The reference, by the paper's formula."""
    p = np.linalg.inv((x.T @ x).toarray() + ridge * np.eye(shape[1]))
    b = p / -np.diag(p)
    np.fill_diagonal(b, 0)
    return x @ b


def compare_scores(name, path, x, reference):
    """The scores that a model file gives the 20 best items of everybody with a list in x, against those of a reference."""
    place_user, place_item = ({name: n for n, name in enumerate(names)} for names in (split.users, split.items))
    worst, count = 0, 0
    for line in run("recommend", path, "--users", os.path.join(folder, "train.tsv"), "-n", "20", "--format", "jsonl").splitlines():
        row = json.loads(line)
        for each in row.get("items", [row]):
            u = place_user[row["user"]]
            if x[u].nnz:  # otherwise scores are numbers of picks
                worst, count = max(worst, abs(each["score"] - reference[u, place_item[each["item"]]])), count + 1
    check(f"{name}: {count} scores differ by at most {worst:.2g}", count > 0 and worst < 1e-6)


def ease_against_numpy():
    for of in "equal", "liked", "graded":
        x = weights(of)
        reference = ease(x, 200)
        compare_scores(f"EASE, {of}", train("ease", ridge=200, weights=of), x, reference)
        mine, theirs = ours("ease", ridge=200, weights=of), ndcg(reference)
        check(f"EASE, {of}: NDCG@10 {mine.mean():.4f}, in NumPy {theirs.mean():.4f}", abs(mine.mean() - theirs.mean()) < 2e-3)


def ials_against_numpy(k=32, prior=.03, unseen=.1, passes=10):
    """The objective of our factors of items, with the best factors of people, against that of a fit in NumPy."""
    x = weights("equal")

    def solve(v, x):
        gram, out = unseen * v.T @ v, np.zeros((x.shape[0], k))
        for u in range(x.shape[0]):
            own = v[x.indices[x.indptr[u]:x.indptr[u + 1]]]
            out[u] = np.linalg.solve(gram + own.T @ own + prior * (len(own) + unseen * len(v)) * np.eye(k), (1 + unseen) * own.sum(0))
        return out

    def objective(v):
        u = solve(v, x)
        fitted = u @ v.T
        picked = x.toarray() > 0
        error = unseen * (fitted[~picked] ** 2).sum() + (1 + unseen) * ((1 - fitted[picked]) ** 2).sum()
        ridge = lambda f, counts, others: prior * ((counts + unseen * others) * (f ** 2).sum(1)).sum()
        return error + ridge(u, picked.sum(1), shape[1]) + ridge(v, picked.sum(0), shape[0])

    v = np.random.default_rng(1).normal(0, .1 / np.sqrt(k), (shape[1], k))
    turned = x.T.tocsr()
    for _ in range(passes):
        v = solve(solve(v, x), turned)
    path, arrays = train("ials", hidden=k, prior=prior, unobserved=unseen, epochs=passes), os.path.join(work, "ials.npz")
    run("model", "export", path, "--npz", arrays)
    mine = np.load(arrays)
    order = {str(name): n for n, name in enumerate(mine["items"])}
    own = np.array([mine["factors"][order[name]] if name in order else np.zeros(k) for name in split.items])
    a, b = objective(own), objective(v)
    check(f"iALS: objective {a:.1f}, in NumPy {b:.1f}", abs(a / b - 1) < .01)
    compare("iALS against NumPy", ours("ials", hidden=k, prior=prior, unobserved=unseen, epochs=passes), ndcg(solve(v, x) @ v.T))


def against_implicit(k=32):
    """The library's settings are the best of a small grid by the test itself, which favours it; ours are the defaults."""
    picks = weights("equal").astype(np.float32)
    best = None
    for regularization in 1., 10., 100.:
        for alpha in 5., 11.:
            model = AlternatingLeastSquares(k, regularization=regularization, alpha=alpha, iterations=10, random_state=1, num_threads=1)
            model.fit(picks, show_progress=False)
            value = ndcg(model.user_factors @ model.item_factors.T)
            if best is None or value.mean() > best[0].mean():
                best = value, f"regularization {regularization:g}, alpha {alpha:g}"
    compare(f"ials, 32 factors, against implicit's with {best[1]}", ours("ials", hidden=k, prior=.03), best[0])
    best = None
    for rate in .01, .05:
        for regularization in .01, .03, .1:
            model = BayesianPersonalizedRanking(k, learning_rate=rate, regularization=regularization, iterations=100, random_state=1, num_threads=1)
            model.fit(picks, show_progress=False)
            value = ndcg(model.user_factors @ model.item_factors.T)
            if best is None or value.mean() > best[0].mean():
                best = value, f"rate {rate:g}, regularization {regularization:g}"
    compare(f"bpr-mf, 32 factors, against implicit's with {best[1]}", ours("bpr-mf", hidden=k), best[0])
    # With all neighbours there is no tie for the last place among them. Our scores are means over the list, theirs sums.
    x = weights("equal")
    model = CosineRecommender(K=shape[1], num_threads=1)
    model.fit(x, show_progress=False)
    reference = (x @ sparse.csr_matrix(model.similarity)).toarray() / x.sum(1).A
    compare_scores("item-knn, the cosine of all neighbours", train("item-knn", nearest=shape[1], shrink=0), x, reference)
    model = CosineRecommender(K=51, num_threads=1)  # an item is its own nearest neighbour
    model.fit(picks, show_progress=False)
    similar = sparse.csr_matrix(model.similarity)
    compare("item-knn, the cosine of 50 neighbours, against implicit's", ours("item-knn", nearest=50, shrink=0), ndcg((picks @ similar).toarray()))


print(f"implicit {implicit.__version__}, NumPy {np.__version__}; {shape[0]} people, {shape[1]} items, {len(judged)} judged")
print(f"popularity: NDCG@10 {ours('popularity').mean():.4f}")
ease_against_numpy()
ials_against_numpy()
against_implicit()
sys.exit(len(failures))
