"""Golden numbers for judge/metric, computed by other libraries on the same TREC files.

    python3 -m venv /tmp/metrics
    /tmp/metrics/bin/pip install ir-measures==0.4.3 pytrec_eval-terrier==0.5.11 ranx==0.3.21 \\
        scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
    /tmp/metrics/bin/python peers/metrics.py [PAPER.py]

run from the root of the repository with perl at hand (ir-measures runs gdeval.pl), writes
judge/metric/testdata/metrics.json. The lists are not stored: queries() below is repeated in
golden_test.go, and the checksum of the TREC files shows whether both made the same ones.

PAPER.py is the project's script that scores outside recommenders, tools/peers.py in the folder shared
by its authors; the measures in it follow the paper's formulas. Without it the numbers it gave stay as
they are.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import platform
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")  # numba's, on its first run

import ir_measures
import numpy
import ranx
import scipy.stats
import sklearn.metrics
from ir_measures import AP, ERR, P, R, RR, nDCG

OUT = "judge/metric/testdata/metrics.json"
COMMAND = "/tmp/metrics/bin/python peers/metrics.py PAPER.py"
PACKAGES = ["ir-measures", "pytrec_eval-terrier", "ranx", "scikit-learn", "scipy", "numpy"]
QUERIES, PAPER_QUERIES = 300, 40


def queries():
    """(scores, levels) by a linear congruential generator (Numerical Recipes' constants).

    1 to 41 items each; no two scores of a list are equal; levels from 0 to 4, and nothing
    but 0 in every twentieth list.
    """
    state = 1

    def draw(n):
        nonlocal state
        state = (1664525 * state + 1013904223) % 2**32
        return (state >> 16) % n

    for q in range(1, QUERIES + 1):
        items = 1 + draw(41)
        scores = [(37 * i + 11 * q) % 41 for i in range(items)]
        levels = [[0, 0, 0, 0, 1, 1, 2, 2, 3, 4][draw(10)] * (q % 20 > 0) for _ in range(items)]
        yield scores, levels


LISTS = list(queries())


def trec():
    qrels, run = [], []
    for q, (scores, levels) in enumerate(LISTS, 1):
        for i, (score, level) in enumerate(zip(scores, levels)):
            qrels.append(f"{q} 0 d{i} {level}\n")
            run.append(f"{q} Q0 d{i} {sum(s > score for s in scores) + 1} {score} fubini\n")
    return "".join(qrels), "".join(run)


def by_ir_measures(qrels, run, measure, provider):
    values = {m.query_id: m.value for m in provider.iter_calc([measure], list(qrels), list(run))}
    return [values[str(q)] for q in range(1, QUERIES + 1)]


def by_ranx(qrels, run, measure):
    ranx.evaluate(qrels, run, measure, return_mean=False)
    return [run.scores[measure][str(q)] for q in range(1, QUERIES + 1)]


def untied(qrels_file, run_file):
    """Strict lists: the measures of trec_eval, ranx and gdeval. Where two answer, they must agree."""
    qrels = list(ir_measures.read_trec_qrels(qrels_file))
    run = list(ir_measures.read_trec_run(run_file))
    ranx_qrels, ranx_run = ranx.Qrels.from_file(qrels_file, kind="trec"), ranx.Run.from_file(run_file, kind="trec")
    exp2 = {1: 1, 2: 3, 3: 7, 4: 15}
    for name, trec_eval, ranx_name in [
        ("NDCG exp2", nDCG(gains=exp2), "ndcg_burges"),
        ("NDCG@5 exp2", nDCG(gains=exp2) @ 5, "ndcg_burges@5"),
        ("NDCG@10 exp2", nDCG(gains=exp2) @ 10, "ndcg_burges@10"),
        ("NDCG@10 linear", nDCG @ 10, "ndcg@10"),
        ("P@5 at least 1", P @ 5, "precision@5"),
        ("P@20 at least 2", P(rel=2) @ 20, "precision@20-l2"),
        ("R@5 at least 2", R(rel=2) @ 5, "recall@5-l2"),
        ("AP at least 1", AP, "map"),
        ("AP@10 at least 2", AP(rel=2) @ 10, "map@10-l2"),
        ("RR at least 3", RR(rel=3), "mrr-l3"),
        ("RR@3 at least 2", None, "mrr@3-l2"),
    ]:
        values = by_ranx(ranx_qrels, ranx_run, ranx_name)
        source = [f"ranx {ranx_name}"]
        if trec_eval is not None:
            other = by_ir_measures(qrels, run, trec_eval, ir_measures.pytrec_eval)
            assert max(abs(a - b) for a, b in zip(values, other)) < 1e-12, name
            source.append(f"ir-measures {trec_eval} by pytrec_eval")
        yield record(name, source, values)
    for name, measure in [
        ("NDCG@10 exp2", nDCG(dcg="exp-log2") @ 10),
        ("ERR@10", ERR @ 10),
        ("ERR", ERR @ 1000),
    ]:
        yield record(name, [f"ir-measures {measure} by gdeval"], by_ir_measures(qrels, run, measure, ir_measures.gdeval), 5)


def tied():
    """The same lists with scores rounded down to multiples of 8: the measures that know ties."""

    def each(measure):
        return [measure(numpy.array(scores) // 8, numpy.array(levels)) for scores, levels in LISTS]

    def ndcg(k):
        return lambda scores, levels: (
            float(sklearn.metrics.ndcg_score([2.0**levels - 1], [scores], k=k)) if len(levels) > 1 else None)

    def auc(scores, levels):
        return float(sklearn.metrics.roc_auc_score(levels >= 2, scores)) if 0 < sum(levels >= 2) < len(levels) else None

    def tau(scores, levels):
        value = scipy.stats.kendalltau(scores, levels).statistic if len(levels) > 1 else numpy.nan
        return None if numpy.isnan(value) else float(value)

    yield record("tied NDCG exp2", ["scikit-learn ndcg_score"], each(ndcg(None)))
    yield record("tied NDCG@5 exp2", ["scikit-learn ndcg_score(k=5)"], each(ndcg(5)))
    yield record("tied AUC at least 2", ["scikit-learn roc_auc_score"], each(auc))
    yield record("tied tau-b", ["scipy kendalltau"], each(tau))


def record(name, source, values, digits=10):
    """null: the library refuses the list. digits: how many decimals can be believed."""
    return dict(name=name, source=source, digits=digits, values=[v if v is None else round(v, digits) for v in values])


def paper(path):
    """The measures in PAPER.py, a list at a time, with levels from 1 to 5 and without its rounding."""
    spec = importlib.util.spec_from_file_location("paper", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.round = lambda value, digits: value
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for scores, levels in LISTS[:PAPER_QUERIES]:
            with open(f"{folder}/train.tsv", "w") as train:
                train.write("u\td0\t1\n")
            with open(f"{folder}/test.tsv", "w") as test:
                test.writelines(f"u\td{i}\t{level + 1}\n" for i, level in enumerate(levels))
            quality = module.Split(f"{folder}/train.tsv", f"{folder}/test.tsv").quality(numpy.array(scores, float), 1)
            rows.append({k: round(quality[k], 10) for k in ("err", "ndcg@1", "ndcg@5", "ndcg@10")})
    with open(path, "rb") as text:
        return dict(sha256=hashlib.sha256(text.read()).hexdigest(), lists=rows)


def main():
    if len(sys.argv) > 1:
        by_paper = paper(sys.argv[1])
    else:
        with open(OUT) as old:
            by_paper = json.load(old)["paper"]
    qrels, run = trec()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ("qrels", qrels), ("run", run):
            with open(f"{folder}/{name}.trec", "w") as out:
                out.write(text)
        measures = list(untied(f"{folder}/qrels.trec", f"{folder}/run.trec")) + list(tied())
    golden = dict(
        command=COMMAND,
        versions=dict(python=platform.python_version()) | {name: importlib.metadata.version(name) for name in PACKAGES},
        sha256=hashlib.sha256((qrels + run).encode()).hexdigest(),
        queries=QUERIES,
        paper=by_paper,
        measures=measures,
    )
    with open(OUT, "w") as out:
        out.write("{\n")  # a line for each measure, not for each number
        lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in golden.items() if k != "measures"]
        lines.append(' "measures": [\n' + ",\n".join("  " + json.dumps(m) for m in measures) + "\n ]")
        out.write(",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
