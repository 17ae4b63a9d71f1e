"""votes.py FUBINI [ARENA [PAGE]]: holds `fubini fit` against the packages that rank things from votes.

Agreement: R's BradleyTerry2, psychotools and qvcalc on their own data (votes.R, run by Rscript where there is one), choix on
pairs and on rankings drawn here, leaderbot's Davidson on the votes of ARENA, a folder with arena.csv. Speed, with ARENA: for
fubini the whole program, from the file to the table with standard errors; for the others the work on counts that are in memory
already. leaderbot trains in a process of its own, which is ended after LIMIT seconds. The tables go to stdout, and with PAGE
between the marks of that page. Exit code 1 where an agreement fails. Packages: votes.txt."""
import csv, hashlib, importlib.metadata, io, json, math, os, platform, random, shutil, subprocess, sys, tempfile, time

LIMIT = 120 # seconds for leaderbot
BEGIN, END = "<!-- peers/votes.py -->\n", "<!-- end of peers/votes.py -->\n"

def fit(program, path, *flags):
    out = subprocess.run([program, "fit", path, "--quiet", "--format", "json", *flags], check=True, capture_output=True, text=True).stdout
    return json.loads(out)

def worths(result): return {row["item"]: row["worth"] for row in result["items"]}

failed, page = False, io.StringIO()
def say(line):
    print(line, flush=True)
    page.write(line + "\n")

def row(what, reference, n, gap, limit):
    global failed
    failed |= not gap <= limit
    say(f"| {what} | {reference} | {n} | {gap:.1e} | {limit:.0e}{'' if gap <= limit else ', **not met**'} |")

def centred(values):
    mean = sum(values) / len(values)
    return [v - mean for v in values]

def against_r(program, folder):
    if not shutil.which("Rscript"):
        print("Rscript is not here: R's packages are left out", file=sys.stderr)
        return
    subprocess.run(["Rscript", os.path.join(os.path.dirname(os.path.abspath(__file__)), "votes.R"), folder], check=True, stdout=sys.stderr)
    expected = {}
    for r in csv.DictReader(open(os.path.join(folder, "estimates.csv"))):
        expected.setdefault(r["file"], []).append(r)
    rivals = {"citations.csv": "BradleyTerry2, qvcalc", "baseball.csv": "BradleyTerry2", "parties.csv": "psychotools", "sound.csv": "psychotools", "football.csv": "psychotools, Davidson"}
    for name, rows in expected.items():
        flags = ["--home"] if name == "baseball.csv" else []
        if name != "football.csv": flags += ["--space", "orders"]
        result = fit(program, os.path.join(folder, name), *flags)
        by = {r["item"]: (r["worth"], r["std_err"], r["quasi"]) for r in result["items"]}
        by.update({c["name"]: (c["value"], c["std_err"], None) for c in result["coefficients"]})
        for k, column in enumerate(["worth", "std_err", "quasi"]):
            gaps = [abs(float(r[column]) - by[r["item"]][k]) for r in rows if r[column] != "NA"]
            if gaps: row(f"{name[:-4]}: {column.replace('std_err', 'standard error').replace('quasi', 'quasi standard error')}", rivals[name], len(gaps), max(gaps), 1e-6 if column == "worth" else 1e-5)

def against_choix(program, folder):
    import choix
    random.seed(1)
    n = 12; truth = [random.gauss(0, 1) for _ in range(n)]
    def ranking(length): # by Plackett and Luce's model: worths with Gumbel's noise
        items = random.sample(range(n), length)
        return sorted(items, key=lambda k: -truth[k] + math.log(-math.log(random.random())))
    for length, what, solve, flags in ((2, "pairs", choix.ilsr_pairwise, ["--space", "orders"]), (5, "rankings of 5", choix.ilsr_rankings, ["--model", "plackett-luce"]),
                                       (12, "rankings of 12", choix.ilsr_rankings, ["--model", "plackett-luce"])):
        data = [tuple(ranking(length)) for _ in range(3000 if length < 12 else 300)]
        path = os.path.join(folder, "choix.jsonl")
        with open(path, "w") as f:
            for order in data: f.write(json.dumps({"tiers": [[f"i{k}"] for k in order]}) + "\n")
        want = centred(solve(n, data, alpha=0, max_iter=100000, tol=1e-12))
        got = worths(fit(program, path, *flags))
        row(f"{len(data):,} drawn {what}: worth", "choix", n, max(abs(got[f"i{k}"] - want[k]) for k in range(n)), 1e-6)

def timed(work):
    start = time.perf_counter(); work()
    return time.perf_counter() - start

TRAIN = """
import json, sys, time
import leaderbot as lb
data = lb.data.load()
start = time.perf_counter()
model = lb.models.Davidson(data, k_cov=None, k_tie=0)
model.train(method="BFGS")
print(json.dumps({"seconds": time.perf_counter() - start, "models": data["models"], "param": [float(v) for v in model.param], "loss": float(model.loss())}))
"""

def leaderbot():
    try:
        return json.loads(subprocess.run([sys.executable, "-c", TRAIN], check=True, capture_output=True, text=True, timeout=LIMIT).stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return None

def scipy_counts(index, counts):
    """Davidson's model by L-BFGS on counts, starting from nothing."""
    import numpy as np
    from scipy.optimize import minimize
    a, b, wins = np.array([k[0] for k in counts]), np.array([k[1] for k in counts]), np.array(list(counts.values()), float)
    total, n = wins.sum(), len(index)
    def loss(x):
        d = x[a] - x[b]
        z = np.logaddexp(np.logaddexp(d / 2, -d / 2), x[n])
        p = np.exp(np.stack([d / 2, -d / 2, np.full_like(d, x[n])], 1) - z[:, None])
        each = wins.sum(1)
        value = each @ z - wins[:, 0] @ (d / 2) + wins[:, 1] @ (d / 2) - wins[:, 2].sum() * x[n]
        slope = ((p[:, 0] - p[:, 1]) * each - wins[:, 0] + wins[:, 1]) / 2
        gradient = np.zeros(n + 1)
        np.add.at(gradient, a, slope); np.add.at(gradient, b, -slope)
        gradient[n] = p[:, 2] @ each - wins[:, 2].sum()
        return value / total, gradient / total
    return minimize(loss, np.zeros(n + 1), jac=True, method="L-BFGS-B", options={"maxiter": 10000, "maxfun": 100000, "ftol": 1e-15, "gtol": 1e-9})

def arena(program, folder):
    path = os.path.join(folder, "arena.csv")
    rows = [r for r in csv.DictReader(open(path)) if r["winner"] != "tie (bothbad)"]
    got, trained = fit(program, path, "--drop-bothbad"), leaderbot()
    if trained:
        ours, theirs = worths(got), dict(zip(trained["models"], centred(trained["param"][:129])))
        row("arena: worth", "leaderbot, Davidson", 129, max(abs(ours[m] - theirs[m]) for m in theirs), 1e-4)
        row("arena: nu", "leaderbot, Davidson", 1, abs(got["nu"] - trained["param"][129]), 1e-4)
    names = sorted({r["model_a"] for r in rows} | {r["model_b"] for r in rows}); index = {m: k for k, m in enumerate(names)}
    counts = {}
    for r in rows:
        counts.setdefault((index[r["model_a"]], index[r["model_b"]]), [0, 0, 0])[{"model_a": 0, "model_b": 1, "tie": 2}[r["winner"]]] += int(r["votes"])
    say("\n| program | work | errors | nats a vote | seconds |\n|---|---|---|---:|---:|")
    for ties in ("common", "item"):
        command = [program, "fit", path, "--quiet", "--drop-bothbad", "--ties", ties]
        best = min(timed(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(5))
        say(f"| fubini fit --ties {ties} | file to table | yes | {fit(program, path, '--drop-bothbad', '--ties', ties)['mean_nll']:.5f} | {best:.2f} |")
    found = scipy_counts(index, counts)
    say(f"| SciPy, L-BFGS, Davidson's model | fit on counts | no | {found.fun:.5f} | {min(timed(lambda: scipy_counts(index, counts)) for _ in range(3)):.2f} |")
    import evalica
    wins = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    a, b, w, n = [r["model_a"] for r in rows], [r["model_b"] for r in rows], [wins[r["winner"]] for r in rows], [float(r["votes"]) for r in rows]
    newman = lambda: evalica.newman(a, b, w, weights=n, tolerance=1e-9, limit=100000)
    result = newman() # Newman's model of ties is Davidson's: its v is half the tie weight
    score, tie = {m: math.log(v) for m, v in result.scores.items()}, math.log(2 * result.v)
    def nats(i, j, c):
        d = score[names[i]] - score[names[j]]
        return sum(c) * math.log(math.exp(d / 2) + math.exp(-d / 2) + math.exp(tie)) - (c[0] - c[1]) * d / 2 - c[2] * tie
    nll = sum(nats(i, j, c) for (i, j), c in counts.items()) / sum(map(sum, counts.values()))
    say(f"| evalica, newman, {result.iterations} iterations | fit on counts | no | {nll:.5f} | {min(timed(newman) for _ in range(3)):.2f} |")
    import numpy as np, jax.numpy as jnp
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset
    pairs = np.array([[i, j] for (i, j), c in counts.items() for _ in range(3)]); times = np.array([v for c in counts.values() for v in c], float)
    outcome = np.array([1, 0, 0.5] * len(counts)); seen = times > 0
    data = PairDataset(competitors=names, pairs=jnp.array(pairs[seen]), outcomes=jnp.array(outcome[seen]), counts=jnp.array(times[seen]), weights=jnp.ones(seen.sum()), opt_weights=jnp.array(times[seen]))
    rank = lambda: BradleyTerry(len(names)).compute_ratings_and_cis(data)
    first = timed(rank)
    say(f"| arena-rank, Bradley-Terry | fit on counts | yes | a tie is half a win | {min(timed(rank) for _ in range(3)):.2f} ({first:.1f} with its compilation) |")
    say(f"| leaderbot, Davidson, BFGS | fit on counts | no | {trained['loss']:.5f} | {trained['seconds']:.1f} |" if trained else f"| leaderbot, Davidson, BFGS | fit on counts | no | | over {LIMIT}, ended |")
    result = subprocess.run([program, "fit", path, "--quiet", "--drop-bothbad", "--compare", "common,item", "--format", "json"], check=True, capture_output=True, text=True).stdout
    say("\n| ties | parameters | nats a vote | held out |\n|---|---:|---:|---:|")
    both = json.loads(result)
    for r in both: say(f"| {r['ties']} | {r['parameters']} | {r['mean_nll']:.5f} | {r['held_out_nll']:.5f} |")
    say(f"\nHeld out: a fifth of the votes, five times, the same for both. A tie weight for each item is better by {both[0]['held_out_nll'] - both[1]['held_out_nll']:.5f} nats a vote; twice the logarithm of the likelihood ratio is {both[0]['likelihood_ratio']:.0f} with {both[0]['degrees']:.0f} degrees of freedom.")

def facts(folder):
    version = lambda name: f"{name} {importlib.metadata.version(name)}"
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    commit = subprocess.run(["git", "--git-dir", os.path.join(root, ".git"), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    print_r = 'cat(R.version.string, sapply(c("BradleyTerry2", "psychotools", "qvcalc"), function(p) paste(p, packageVersion(p))), sep = ", ")'
    r = subprocess.run(["Rscript", "-e", print_r], capture_output=True, text=True).stdout if shutil.which("Rscript") else "without R"
    digest = hashlib.sha256(open(os.path.join(folder, "arena.csv"), "rb").read()).hexdigest()[:16]
    say(f"\nCommit {commit}; {os.cpu_count()} cores; Python {platform.python_version()}, " + ", ".join(map(version, ("choix", "leaderbot", "evalica", "arena-rank", "scipy", "numpy"))) + f"; {r}; arena.csv SHA-256 {digest}….")

if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    say("| what | against | numbers | largest difference | at most |\n|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        against_r(sys.argv[1], folder)
        against_choix(sys.argv[1], folder)
    if len(sys.argv) > 2:
        arena(sys.argv[1], sys.argv[2])
        facts(sys.argv[2])
    if len(sys.argv) > 3:
        text = open(sys.argv[3]).read()
        before, rest = text.split(BEGIN, 1); after = rest.split(END, 1)[1]
        open(sys.argv[3], "w").write(before + BEGIN + page.getvalue() + END + after)
    sys.exit(failed)
