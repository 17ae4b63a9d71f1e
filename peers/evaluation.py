"""Golden numbers for judge/evaluate on a split of MovieLens 100K.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install numpy
    go run ./cmd/fubini data split ml-100k/u.data --given 20 -o /tmp/split
    /tmp/peers/bin/python peers/evaluation.py PEERS.py /tmp/split

run from the root of the repository, writes judge/evaluate/testdata/peers.json. PEERS.py is a
file with a class Split(train, test) whose method quality(score, seed) gives the paper's metrics;
it scores outside libraries on our splits. The scores ranked by here are no model's: they are
a formula that the Go test repeats, without ties, so that the metrics alone are compared.
"""

import importlib.util
import json
import platform
import sys

import numpy

OUT = "judge/evaluate/testdata/peers.json"


def score(user, item):
    """A number that depends on both ids in no simple way, the same in every language."""
    state = (int(user) * 2654435761 + int(item) * 40503 + 12345) % 2**32
    for _ in range(3):
        state = (1664525 * state + 1013904223) % 2**32
    return state / 2**32


def main():
    spec = importlib.util.spec_from_file_location("peers", sys.argv[1])
    peers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peers)
    folder = sys.argv[2]
    split = peers.Split(f"{folder}/train.tsv", f"{folder}/test.tsv")
    users = {n: u for u, n in split.user_index.items()}
    items = {n: i for i, n in split.item_index.items()}
    scores = numpy.array([score(users[u], items[i]) for u, i in zip(split.test_user, split.test_item)])
    golden = {
        "command": "python peers/evaluation.py PEERS.py SPLIT",
        "split": "fubini data split ml-100k/u.data --given 20, seed 1",
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "test_ratings": len(scores),
        "quality": split.quality(scores, 1),
    }
    with open(OUT, "w") as out:
        json.dump(golden, out, indent=1)
        out.write("\n")


main()
