"""classify.py FUBINI ML-100K [PAGE]: what the vectors of people are worth as features of a classifier.

Every person's ratings are divided in two by chance. From the first half come vectors of 20 numbers: the posterior means of latent-osm
(`fubini embed`; from the order of the ratings and from who rated what, and from the order alone), principal components, and the factors of regularised matrix
factorisation by alternating least squares; beside them, as a mark of what can be known, the mean rating that the person gave
to each genre. From the second half comes what is to be predicted, for each genre with enough people: whether the person rates it
higher, against the items' means and their own, than the median person does. The classifier is logistic regression, its penalty
chosen by cross-validation inside the training folds. Means over genres of accuracy and area under the ROC curve, by five folds over
people, with 95 % intervals over SPLITS divisions. ML-100K is a folder with u.data and items.csv. With PAGE the table goes between its
marks. Packages: classify.txt."""
import csv, hashlib, importlib.metadata, json, math, os, subprocess, sys, tempfile
import numpy as np
from scipy.stats import t as student
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SPLITS, SIZE, FEWEST, PEOPLE = 10, 20, 5, 300
BEGIN, END = "<!-- peers/classify.py -->\n", "<!-- end of peers/classify.py -->\n"

def read(folder):
    rows = [line.split("\t") for line in open(os.path.join(folder, "u.data"))]
    genres = {r["item"]: r["genres"].split("|") for r in csv.DictReader(open(os.path.join(folder, "items.csv")))}
    people, items = sorted({r[0] for r in rows}), sorted({r[1] for r in rows})
    place = {p: k for k, p in enumerate(people)}, {i: k for k, i in enumerate(items)}
    triples = np.array([(place[0][r[0]], place[1][r[1]], float(r[2])) for r in rows])
    names = sorted({g for i in items for g in genres.get(i, []) if g})
    has = np.array([[g in genres.get(i, []) for g in names] for i in items], dtype=float)
    return people, items, triples, names, has

def residuals(triples, people, items, means):
    """Ratings less the items' means and the person's own mean of that, as a matrix, and which there are."""
    value, seen = np.zeros((people, items)), np.zeros((people, items))
    u, i = triples[:, 0].astype(int), triples[:, 1].astype(int)
    value[u, i], seen[u, i] = triples[:, 2] - means[i], 1
    own = value.sum(1) / np.maximum(1, seen.sum(1))
    return (value - own[:, None]) * seen, seen

def factors(value, seen, seed, penalty=5.0, sweeps=15):
    """Alternating least squares with a penalty on both sides."""
    r = np.random.default_rng(seed)
    b = 0.1 * r.standard_normal((value.shape[1], SIZE))
    def solve(values, there, other):
        out = np.zeros((len(values), SIZE))
        for k, (row, on) in enumerate(zip(values, there)):
            at = np.flatnonzero(on)
            x = other[at]
            out[k] = np.linalg.solve(x.T @ x + penalty * np.eye(SIZE), x.T @ row[at])
        return out
    for _ in range(sweeps):
        a = solve(value, seen, b)
        b = solve(value.T, seen.T, a)
    return a

def embedded(program, folder, people, items, half, seed, *flags):
    data, model = os.path.join(folder, "half.csv"), os.path.join(folder, "model")
    with open(data, "w") as f:
        print("user,item,rating", file=f)
        for u, i, v in half: print(f"{people[int(u)]},{items[int(i)]},{v:g}", file=f)
    subprocess.run([program, "train", data, "-o", model, "--aim", "taste", "--calibrate", "0", "--hidden", str(SIZE), "--seed", str(seed), "--quiet", *flags], check=True)
    rows = json.loads(subprocess.run([program, "embed", model, data, "--format", "json", "--quiet"], check=True, capture_output=True, text=True).stdout)
    vectors = {r["id"]: r["vector"] for r in rows["rows"]}
    return np.array([vectors.get(p, [0.0] * SIZE) for p in people])

def judged(x, label):
    model = make_pipeline(StandardScaler(), LogisticRegressionCV(Cs=np.logspace(-4, 1, 6), cv=3, max_iter=2000))
    p = cross_val_predict(model, x, label, cv=StratifiedKFold(5, shuffle=True, random_state=1), method="predict_proba")[:, 1]
    return np.mean((p > 0.5) == label), roc_auc_score(label, p)

def main(program, folder, page=None):
    people, items, triples, names, has = read(folder)
    kinds = ["latent-osm, posterior means", "latent-osm from orders alone", "principal components", "matrix factorisation", "mean rating of each genre"]
    scores, tasks = {k: [] for k in kinds}, 0
    with tempfile.TemporaryDirectory() as scratch:
        for split in range(1, SPLITS + 1):
            first = np.random.default_rng(split).random(len(triples)) < 0.5
            count = np.bincount(triples[first, 1].astype(int), minlength=len(items))
            means = (np.bincount(triples[first, 1].astype(int), triples[first, 2], minlength=len(items)) + 5 * triples[first, 2].mean()) / (count + 5)
            value, seen = residuals(triples[first], len(people), len(items), means)
            later, there = residuals(triples[~first], len(people), len(items), means)
            features = {
                kinds[0]: embedded(program, scratch, people, items, triples[first], split),
                kinds[1]: embedded(program, scratch, people, items, triples[first], split, "--set", "prior-v=none", "--set", "co-occurrence=0"),
                kinds[2]: PCA(SIZE, random_state=split).fit_transform(value),
                kinds[3]: factors(value, seen, split),
                kinds[4]: (value @ has) / (seen @ has + 5),
            }
            cells = {k: [] for k in kinds}
            for g in range(len(names)):
                rated = there @ has[:, g]
                chosen = np.flatnonzero(rated >= FEWEST)
                if len(chosen) < PEOPLE: continue
                likes = (later[chosen] @ has[:, g]) / rated[chosen]
                label = likes > np.median(likes)
                for k in kinds: cells[k].append(judged(features[k][chosen], label))
            tasks = len(cells[kinds[0]])
            for k in kinds: scores[k].append(np.mean(cells[k], axis=0))
            print(split, {k: np.round(scores[k][-1], 4).tolist() for k in kinds}, file=sys.stderr, flush=True)
    half = lambda d: student.ppf(0.975, SPLITS - 1) * np.std(d, ddof=1) / math.sqrt(SPLITS)
    lines = ["| vectors | accuracy | area under the curve | latent-osm ahead in accuracy | in area |", "|---|---:|---:|---:|---:|"]
    ours = np.array(scores[kinds[0]])
    for k in kinds:
        s, row = np.array(scores[k]), f"| {k} | "
        row += " | ".join(f"{m:.4f}" for m in s.mean(0))
        for c in range(2):
            d = (ours - s)[:, c]
            row += " | " + ("" if k == kinds[0] else f"{d.mean():+.4f} ({d.mean() - half(d):+.4f} to {d.mean() + half(d):+.4f})")
        lines.append(row + " |")
    version = json.loads(subprocess.run([program, "version", "--format", "json"], check=True, capture_output=True, text=True).stdout)["version"]
    digest = hashlib.sha256(open(os.path.join(folder, "u.data"), "rb").read()).hexdigest()[:16]
    lines += ["", f"{tasks} genres of at least {PEOPLE} people, {SPLITS} divisions, seeds 1 to {SPLITS}; fubini {version}; scikit-learn {importlib.metadata.version('scikit-learn')}; u.data SHA-256 {digest}…."]
    text = "\n".join(lines) + "\n"
    print(text)
    if page:
        whole = open(page).read()
        before, rest = whole.split(BEGIN)
        open(page, "w").write(before + BEGIN + text + END + rest.split(END)[1])

main(*sys.argv[1:])
