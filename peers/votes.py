"""votes.py FUBINI [ARENA]: holds `fubini fit` against the packages that rank things from votes.

Agreement: R's BradleyTerry2, psychotools and qvcalc on their own data (votes.R, run by Rscript where there is one), choix on
pairs drawn here, leaderbot's Davidson on the votes of ARENA, a folder with arena.csv. Speed, with ARENA: file to table with
standard errors for fubini; the fit alone, votes in memory, for evalica, leaderbot and arena-rank, which is less work.
One table to stdout, exit code 1 where an agreement fails. Packages: votes.txt."""
import csv, json, math, os, random, shutil, subprocess, sys, tempfile, time

def fit(program, path, *flags):
    out = subprocess.run([program, "fit", path, "--quiet", "--format", "json", *flags], check=True, capture_output=True, text=True).stdout
    return json.loads(out)

def worths(result): return {row["item"]: row["worth"] for row in result["items"]}

failed = False
def row(what, reference, n, gap, limit, note=""):
    global failed
    failed |= not gap <= limit
    print(f"| {what} | {reference} | {n} | {gap:.1e} | {limit:.0e} | {'yes' if gap <= limit else 'NO'} | {note} |")

def against_r(program, folder):
    if not shutil.which("Rscript"):
        print("Rscript is not here: R's packages are left out", file=sys.stderr)
        return
    subprocess.run(["Rscript", os.path.join(os.path.dirname(os.path.abspath(__file__)), "votes.R"), folder], check=True, stdout=sys.stderr)
    expected = {}
    for r in csv.DictReader(open(os.path.join(folder, "estimates.csv"))):
        expected.setdefault(r["file"], []).append(r)
    references = {"citations.csv": "BradleyTerry2, qvcalc", "baseball.csv": "BradleyTerry2", "parties.csv": "psychotools", "sound.csv": "psychotools", "football.csv": "psychotools, Davidson"}
    for name, rows in expected.items():
        flags = ["--home"] if name == "baseball.csv" else []
        if name != "football.csv": flags += ["--space", "orders"]
        result = fit(program, os.path.join(folder, name), *flags)
        by = {r["item"]: (r["worth"], r["std_err"], r["quasi"]) for r in result["items"]}
        by.update({c["name"]: (c["value"], c["std_err"], None) for c in result["coefficients"]})
        for k, column in enumerate(["worth", "std_err", "quasi"]):
            gaps = [abs(float(r[column]) - by[r["item"]][k]) for r in rows if r[column] != "NA"]
            if gaps: row(f"{name[:-4]}: {column}", references[name], len(gaps), max(gaps), 1e-6 if column == "worth" else 1e-5)

def against_choix(program, folder):
    import choix
    random.seed(1)
    n = 12; truth = [random.gauss(0, 1) for _ in range(n)]; data = []
    for _ in range(3000):
        i, j = random.sample(range(n), 2)
        data.append((i, j) if random.random() < 1 / (1 + math.exp(truth[j] - truth[i])) else (j, i))
    path = os.path.join(folder, "choix.csv")
    with open(path, "w") as f:
        f.write("winner,loser\n" + "".join(f"i{a},i{b}\n" for a, b in data))
    want = choix.ilsr_pairwise(n, data, alpha=0, max_iter=100000, tol=1e-12)
    got = worths(fit(program, path, "--space", "orders"))
    mean = sum(want) / n
    row("3,000 drawn pairs: worth", "choix", n, max(abs(got[f"i{k}"] - want[k] + mean) for k in range(n)), 1e-6)

def arena(program, folder):
    path = os.path.join(folder, "arena.csv")
    rows = [r for r in csv.DictReader(open(path)) if r["winner"] != "tie (bothbad)"]
    got = fit(program, path, "--drop-bothbad")
    import leaderbot as lb
    model = lb.models.Davidson(lb.data.load())
    model.train()
    names, x = lb.data.load()["models"], model.param[:129]
    mean = sum(x) / 129; ours = worths(got)
    # Its worths are on the scale of whole differences; ours too.
    row("arena: worth", "leaderbot, Davidson", 129, max(abs(ours[m] - (x[k] - mean)) for k, m in enumerate(names)), 1e-4)
    print("\n| from | what | seconds |\n|---|---|---|")
    for ties in ("common", "item"):
        best = min(timed(lambda: fit(program, path, "--drop-bothbad", "--ties", ties)) for _ in range(3))
        nll = fit(program, path, "--drop-bothbad", "--ties", ties)["mean_nll"]
        print(f"| fubini, ties {ties} | file to board with standard errors, {nll:.5f} nats a vote | {best:.2f} |")
    import evalica
    wins = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    a, b, w, n = [r["model_a"] for r in rows], [r["model_b"] for r in rows], [wins[r["winner"]] for r in rows], [float(r["votes"]) for r in rows]
    print(f"| evalica, newman | fit alone | {min(timed(lambda: evalica.newman(a, b, w, weights=n)) for _ in range(3)):.2f} |")
    print(f"| leaderbot, Davidson | fit alone | {timed(lambda: lb.models.Davidson(lb.data.load()).train()):.2f} |")

def timed(work):
    start = time.perf_counter(); work()
    return time.perf_counter() - start

if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    print("| what | against | numbers | largest difference | limit | within | |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        against_r(sys.argv[1], folder)
        against_choix(sys.argv[1], folder)
    if len(sys.argv) > 2: arena(sys.argv[1], sys.argv[2])
    sys.exit(failed)
