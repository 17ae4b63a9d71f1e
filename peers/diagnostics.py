"""Golden numbers for infer/mcmc/diagnostics.go, computed by ArviZ.

    python3 -m venv /tmp/arviz && /tmp/arviz/bin/pip install arviz==0.23.4
    /tmp/arviz/bin/python peers/diagnostics.py

run from the root of the repository, writes infer/mcmc/testdata/diagnostics.json.
The draws are not stored: draws() below is repeated, operation by operation, in
diagnostics_test.go, and their checksum shows whether both made the same ones.
"""

import hashlib
import json
import platform
import warnings

warnings.simplefilter("ignore")  # ArviZ announces its next major version

import arviz
import numpy
import scipy

OUT = "infer/mcmc/testdata/diagnostics.json"
COMMAND = "/tmp/arviz/bin/python peers/diagnostics.py"


def draws(case):
    """Autoregressive chains driven by a linear congruential generator (Numerical Recipes' constants).

    x <- memory*x + u - 0.5 with u uniform on [0, 1), and then
    value = offset + chain*apart + i*trend + noise*x.
    """
    state = case["seed"]
    chains = []
    for c in range(case["chains"]):
        x, chain = 0.0, []
        for i in range(case["draws"]):
            state = (1664525 * state + 1013904223) % 2**32
            x = case["memory"] * x + (state / 2**32 - 0.5)
            chain.append(case["offset"] + c * case["apart"] + i * case["trend"] + case["noise"] * x)
        chains.append(chain)
    return numpy.array(chains)


def case(name, chains, draws, memory=0.0, offset=0.0, apart=0.0, trend=0.0, noise=1.0, seed=1):
    return dict(name=name, chains=chains, draws=draws, memory=memory, offset=offset,
                apart=apart, trend=trend, noise=noise, seed=seed)


CASES = [
    case("independent", 4, 250, seed=1),
    case("memory", 4, 500, memory=0.5, seed=2),
    case("slow", 4, 1000, memory=0.9, seed=3),
    case("very slow", 3, 1000, memory=0.98, seed=4),
    case("antithetic", 4, 500, memory=-0.3, seed=5),
    case("antithetic to the cap", 4, 500, memory=-0.97, seed=6),
    case("odd length", 3, 333, memory=0.6, seed=7),
    case("one chain", 1, 400, memory=0.7, seed=8),
    case("shifted", 4, 200, memory=0.3, apart=0.5, seed=9),
    case("far apart", 4, 100, apart=100.0, seed=10),
    case("trend", 2, 200, trend=0.01, seed=11),
    case("ten draws", 2, 10, memory=0.8, seed=17),
    case("eleven draws", 5, 11, memory=0.8, seed=13),
    case("offset", 4, 300, memory=0.4, offset=1000.0, seed=14),
    case("small unit", 4, 300, memory=0.4, noise=1e-6, seed=15),
    case("constant", 3, 20, offset=0.1, noise=0.0, seed=16),
]


def answers(case):
    x = draws(case)
    n = x.shape[1] // 2
    halves = numpy.concatenate([x[:, :n], x[:, -n:]])
    within = halves.var(axis=1, ddof=1).mean()
    plus = within * (n - 1) / n + halves.mean(axis=1).var(ddof=1)
    constant = bool(x.min() == x.max())
    several = case["chains"] > 1 and not constant  # ArviZ's R-hat asks for two chains
    return dict(
        case,
        sha256=hashlib.sha256(x.astype("<f8").tobytes()).hexdigest(),  # chain after chain
        mean=float(x.mean()),
        var_plus=0.0 if constant else float(plus),
        variance=0.0 if constant else float(x.var(ddof=1)),
        ess=float(arviz.ess(x, method="mean")),
        rhat=float(arviz.rhat(x, method="split")) if several else None,
        mcse=0.0 if constant else float(arviz.mcse(x, method="mean")),
    )


def main():
    golden = dict(
        command=COMMAND,
        versions=dict(python=platform.python_version(), arviz=arviz.__version__,
                      numpy=numpy.__version__, scipy=scipy.__version__),
        cases=[answers(c) for c in CASES],
    )
    with open(OUT, "w") as out:
        json.dump(golden, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
