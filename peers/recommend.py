"""The Python of docs/recommending.md against `fubini recommend`.

    python3 -m venv /tmp/numpy && /tmp/numpy/bin/pip install numpy==2.4.6
    /tmp/numpy/bin/python peers/recommend.py

run from the root of the repository, trains small models of every kind the page speaks of on ratings made up here, asks both for the best
items of some people and fails unless items are the same in the same order and scores agree to 1e-9. It prints one line a model. That the
comparison can fail is shown by a twin of the page's code that leaves the root of n out.
"""

import json
import pathlib
import re
import subprocess
import tempfile

import numpy

PAGE = pathlib.Path("docs/recommending.md")
MODELS = {
    "gaussian units": ["--model", "latent-osm", "--hidden", "5"],
    "binary units": ["--model", "latent-osm", "--hidden", "5", "--units", "binary"],
    "the paper's": ["--model", "latent-osm-paper", "--hidden", "5"],
    "no units": ["--model", "osm"],
}


def snippet(change=lambda text: text):
    """What the page's one block of Python defines, perhaps changed."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 1, f"{PAGE} has {len(blocks)} blocks of Python"
    names = {}
    exec(compile(change(blocks[0]), str(PAGE), "exec"), names)  # our own page
    return names["recommend"]


def agree(ours, theirs):
    """Whether items are the same in order and scores to 1e-9."""
    return [row["item"] for row in ours] == [item for item, _ in theirs] and all(
        abs(row["score"] - score) < 1e-9 for row, (_, score) in zip(ours, theirs))


def main():
    recommend = snippet()
    broken = snippet(lambda text: text.replace(" / np.sqrt(n)", ""))
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = folder / "fubini"
        subprocess.run(["go", "build", "-o", program, "./cmd/fubini"], check=True)
        lines = ["user,item,rating"]
        for user in range(60):
            for item in random.choice(40, random.integers(2, 20), replace=False):
                lines.append(f"{user},film {item},{random.integers(1, 6)}")
        data = folder / "ratings.csv"
        data.write_text("\n".join(lines) + "\n")
        for name, flags in MODELS.items():
            model = folder / "model"
            subprocess.run([program, "train", data, "-o", model, "--epochs", "30", "--quiet", *flags], check=True)
            compared = mistakes = 0
            for _ in range(30):
                items = [f"film {i}" for i in random.choice(42, random.integers(0, 12), replace=False)]  # two are not known
                cuts = sorted(random.integers(0, len(items) + 1, random.integers(0, 4)))
                tiers = [list(tier) for tier in numpy.split(numpy.array(items, dtype=object), cuts)]
                ours = subprocess.run([program, "recommend", model, "--tiers", "-", "--format", "jsonl", "--quiet", "--min-support", "9"],
                                      input=json.dumps(tiers), text=True, check=True, capture_output=True)
                ours = [json.loads(line) for line in ours.stdout.splitlines()]
                theirs = recommend(model, tiers, min_support=9)
                assert agree(ours, theirs), (name, tiers, ours, theirs)
                compared += len(ours)
                mistakes += not agree(ours, broken(model, tiers, min_support=9))
            assert compared > 200, (name, compared)
            assert mistakes > 0 or name != "gaussian units", "the broken twin was not noticed"
            print(f"{name}: {compared} recommendations agree; the broken twin differs for {mistakes} of 30 people")


if __name__ == "__main__":
    main()
