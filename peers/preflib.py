"""Golden counts for data/codec/preflib.go, taken by PrefLib's own tools.

    python3 -m venv /tmp/preflib && /tmp/preflib/bin/pip install preflibtools==2.0.33
    FUBINI_DATA=../shared/data /tmp/preflib/bin/python peers/preflib.py

run from the root of the repository, reads every file in FUBINI_DATA/preflib and
writes data/codec/preflib/testdata/preflib.json. The files themselves are GPL-3 and stay
where they are; their checksums show whether the test reads the same ones.
"""

import hashlib
import importlib.metadata
import json
import os
import pathlib
import platform

from preflibtools.instances import get_parsed_instance

OUT = "data/codec/preflib/testdata/preflib.json"
COMMAND = "FUBINI_DATA=../shared/data /tmp/preflib/bin/python peers/preflib.py"
TYPES = {".soc", ".soi", ".toc", ".toi", ".cat"}


def counts(path):
    instance = get_parsed_instance(str(path))
    preferences = instance.preferences  # orders, or categories
    voters = sum(instance.multiplicity[p] for p in preferences)
    assert voters == instance.num_voters, path
    return dict(
        file=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        type=instance.data_type,
        voters=voters,
        alternatives=len(instance.alternatives_name),
        used=len({a for p in preferences for tier in p for a in tier}),
        orders=len(set(preferences)),
        placements=sum(instance.multiplicity[p] * sum(map(len, p)) for p in preferences),
    )


def main():
    folder = pathlib.Path(os.environ["FUBINI_DATA"], "preflib")
    golden = dict(
        command=COMMAND,
        versions=dict(python=platform.python_version(), preflibtools=importlib.metadata.version("preflibtools")),
        files=[counts(path) for path in sorted(folder.iterdir()) if path.suffix in TYPES],
    )
    with open(OUT, "w") as out:
        json.dump(golden, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
