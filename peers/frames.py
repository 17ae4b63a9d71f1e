"""Files of ratings between fubini and the libraries LensKit, Surprise and RecBole, each loaded by the library itself.

    python3 -m venv /tmp/frames && /tmp/frames/bin/pip install -r peers/frames.txt
    python3 -m venv /tmp/recbole && /tmp/recbole/bin/pip install -r peers/recbole.txt
    go build -o /tmp/fubini ./cmd/fubini
    /tmp/frames/bin/python peers/frames.py /tmp/fubini
    /tmp/recbole/bin/python peers/frames.py /tmp/fubini

run from the root of the repository. fubini writes ratings with and without times, with ids that hold commas, quotes and
accents, for LensKit (CSV and Parquet), for Surprise and for RecBole; the library reads them and must hold the same ratings. Then a frame of
LensKit, a file of Surprise and the atomic file of MovieLens 100K that comes with RecBole go back through fubini, and a frame that RecBole
has loaded. A library that is not installed is left out, and named; with none of them the script fails. RecBole needs older versions of what
LensKit needs, hence two environments.
"""

import csv
import importlib.metadata
import importlib.util
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

TIMED = [("1", "10", 4.0, 978300760), ("1", "Amélie", 3.5, 978302109), ("2", "10", 1.0, 978301968), ("2", "20", 5.0, 978300275), ("ann", "20", 2.0, 978824291)]
NAMED = TIMED + [("ann", "Crazy, Stupid, Love", 4.5, 978302268)]
QUOTED = NAMED + [("ann", 'The "Burbs"', 1.5, 978302039)]


def fubini(*args):
    done = subprocess.run([sys.argv[1], *map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def written(folder, rows, form, timed, extension):
    """The file that fubini writes of some ratings."""
    path = pathlib.Path(folder, f"in-{form}-{timed}.csv")
    with open(path, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["user", "item", "rating", "timestamp"][: 4 if timed else 3])
        table.writerows(row[: 4 if timed else 3] for row in rows)
    to = path.with_suffix("." + extension).with_stem(f"out-{form}-{timed}")
    fubini("data", "convert", path, to, "--out-format", form, "--quiet")
    return to


def back(path, form=""):
    """The ratings of a file, as fubini reads them."""
    how = ["--in-format", form] if form else []
    text = fubini("data", "convert", path, "-", "--out-format", "csv", "--quiet", *how)
    rows = list(csv.reader(io.StringIO(text)))
    return sorted((r[0], r[1], float(r[2])) + ((int(r[3]),) if len(r) > 3 else ()) for r in rows[1:])


def expected(rows, timed):
    return sorted(row if timed else row[:3] for row in rows)


def lenskit(folder):
    import pandas
    from lenskit.data import from_interactions_df

    for timed in [True, False]:
        for form, extension in [("lenskit", "csv"), ("lenskit-parquet", "parquet")]:
            path = written(folder, QUOTED, form, timed, extension)
            frame = pandas.read_parquet(path) if extension == "parquet" else pandas.read_csv(path, dtype={"user_id": str, "item_id": str})
            data = from_interactions_df(frame)
            got = data.interaction_matrix(format="pandas", field="rating", original_ids=True)
            assert sorted(zip(got["user_id"], got["item_id"], got["rating"])) == [row[:3] for row in sorted(QUOTED)], (form, timed)
            assert data.user_count == 3 and data.item_count == 5, (form, timed)
            if timed:
                table = data.interaction_table(format="pandas", original_ids=True)
                assert sorted(int(t.timestamp()) if hasattr(t, "timestamp") else int(t) for t in table["timestamp"]) == sorted(r[3] for r in QUOTED), table
            # and back: what pandas writes of LensKit's own table
            again = pathlib.Path(folder, f"again-{form}-{timed}.{extension}")
            columns = ["user_id", "item_id", "rating"] + (["timestamp"] if timed else [])
            frame[columns].to_parquet(again) if extension == "parquet" else frame[columns].to_csv(again, index=False)
            assert back(again) == expected(QUOTED, timed), again
    return "LensKit " + importlib.metadata.version("lenskit")


def surprise(folder):
    from surprise import KNNBasic, Dataset, Reader

    for timed in [True, False]:
        # Surprise takes quotes at the ends of a field off: fubini refuses ids that would be lost
        path = written(folder, NAMED, "surprise", timed, "tsv")
        columns = "user item rating timestamp" if timed else "user item rating"
        data = Dataset.load_from_file(str(path), Reader(line_format=columns, sep="\t", rating_scale=(0.5, 5)))
        got = sorted((u, i, r) + ((int(t),) if timed else ()) for u, i, r, t in data.raw_ratings)
        assert got == expected(NAMED, timed), (got, timed)
        model = KNNBasic(verbose=False).fit(data.build_full_trainset())
        assert 0.5 <= model.predict("1", "20").est <= 5
        # and back: the same rows with spaces, as Surprise's own files have them
        again = pathlib.Path(folder, f"again-surprise-{timed}.txt")
        again.write_text("".join(" ".join(map(str, row[: 4 if timed else 3])) + "\n" for row in TIMED))
        assert back(again, "surprise") == expected(TIMED, timed), again
    return "Surprise " + importlib.metadata.version("scikit-surprise")


def atomic(folder, name, path, timed):
    """The ratings of an atomic file, as RecBole holds them, and its data set."""
    from recbole.config import Config
    from recbole.data import create_dataset

    place = pathlib.Path(folder, name)
    place.mkdir()
    shutil.copy(path, place / f"{name}.inter")
    columns = ["user_id", "item_id", "rating", "timestamp"][: 4 if timed else 3]
    settings = {"data_path": folder, "load_col": {"inter": columns}, "state": "ERROR", "use_gpu": False, "checkpoint_dir": folder}
    program, sys.argv = sys.argv, sys.argv[:1]  # RecBole takes the arguments of the script for its own
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pandas about RecBole
            data = create_dataset(Config(model="BPR", dataset=name, config_dict=settings))
    finally:
        sys.argv = program
    held = data.inter_feat
    users, items = data.id2token("user_id", held["user_id"]), data.id2token("item_id", held["item_id"])
    times = [map(int, held["timestamp"])] if timed else []
    return sorted((str(u), str(i), float(r), *t) for u, i, r, *t in zip(users, items, held["rating"], *times)), data


def recbole(folder):
    import pandas
    import recbole as package

    for timed in [True, False]:
        path = written(folder, QUOTED, "inter", timed, "inter")
        got, data = atomic(folder, f"ours{timed}", path, timed)
        assert got == expected(QUOTED, timed), (got, timed)
        assert data.user_num == 4 and data.item_num == 6, data  # with the one that it adds for padding
        # and back: its own names of columns and types, written by pandas as its converters do
        frame = pandas.DataFrame(got, columns=["user_id:token", "item_id:token", "rating:float", "timestamp:float"][: 4 if timed else 3])
        again = pathlib.Path(folder, f"again-{timed}.inter")
        frame.to_csv(again, sep="\t", index=False, quoting=csv.QUOTE_NONE)
        assert back(again) == expected(QUOTED, timed), again
    # an id that pandas takes for a missing value: RecBole leaves its rating out, and fubini refuses to write it
    lost = pathlib.Path(folder, "lost.inter")
    lost.write_text("user_id:token\titem_id:token\trating:float\nann\tNA\t3\nann\t10\t4\n")
    assert atomic(folder, "lost", lost, False)[0] == [("ann", "10", 4.0)]
    refused = subprocess.run([sys.argv[1], "data", "convert", lost, pathlib.Path(folder, "refused.inter")], capture_output=True, text=True)
    assert refused.returncode == 1 and "missing value" in refused.stderr, refused
    # the file of MovieLens 100K that comes with RecBole, under another name: for its own one RecBole moves values to 0..1
    example = pathlib.Path(package.__file__).parent / "dataset_example" / "ml-100k" / "ml-100k.inter"
    theirs, _ = atomic(folder, "theirs", example, True)
    assert back(example) == theirs and len(theirs) == 100_000, len(theirs)
    return "RecBole " + importlib.metadata.version("recbole")


def main():
    loaded = []
    with tempfile.TemporaryDirectory() as folder:
        for load in [lenskit, surprise, recbole]:
            if importlib.util.find_spec(load.__name__) is None:
                print(f"{load.__name__}: left out, because it is not installed")
                continue
            loaded.append(load(folder))
    print("the same ratings in", " and ".join(loaded) if loaded else "nothing")
    if not loaded:
        sys.exit(1)


if __name__ == "__main__":
    main()
