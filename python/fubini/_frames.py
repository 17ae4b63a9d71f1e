"""Frames of pandas, Polars and Arrow, and lists of rows, in and out."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

Frame = Any  # a frame of pandas, Polars or Arrow, or rows; none of the three is needed to import this package


def kind(data: Frame) -> str:
    """The library a frame is of: pandas, polars, pyarrow, or rows."""
    library = type(data).__module__.partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else "rows"


def write(data: Frame, file: Path, columns: Optional[Mapping[str, str]] = None) -> None:
    """Writes a frame as CSV. columns renames some: {"user": "Reviewer"} writes the column Reviewer as user."""
    names = {theirs: ours for ours, theirs in (columns or {}).items()}
    library = kind(data)
    there = _columns(data, library)
    if there is not None and (missing := [name for name in names if name not in there]):
        raise ValueError(f"the data have no column {', '.join(map(repr, missing))}; they have {', '.join(map(repr, there))}")
    if library == "pandas":
        data.rename(columns=names).to_csv(file, index=False)
    elif library == "polars":
        (data.collect() if hasattr(data, "collect") else data).rename(names).write_csv(file)
    elif library == "pyarrow":
        from pyarrow import csv as arrow_csv

        arrow_csv.write_csv(data.rename_columns([names.get(name, name) for name in data.column_names]), file)
    else:
        _write_rows(list(data), file, names)


def _columns(data: Frame, library: str) -> Optional[list[str]]:
    """The names of the columns; None where rows have none."""
    if library == "polars":
        return list(data.collect_schema().names())
    if library == "pyarrow":
        return list(data.column_names)
    if library == "pandas":
        return list(data.columns)
    first = next(iter(data), None) if isinstance(data, Sequence) else None
    return list(first) if isinstance(first, Mapping) else None


def _write_rows(rows: Sequence[Any], file: Path, names: Mapping[str, str]) -> None:
    if not rows:
        raise ValueError("there are no rows")
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        if isinstance(rows[0], Mapping):
            keys = list(rows[0])
            writer.writerow([names.get(key, key) for key in keys])
            writer.writerows([row[key] for key in keys] for row in rows)
        else:
            writer.writerow(["user", "item", "rating", "timestamp"][: len(rows[0])])
            writer.writerows(rows)


def read(rows: Iterable[Mapping[str, Any]], like: Union[str, Frame, None]) -> Frame:
    """Rows as a frame of the library that `like` is of, or is called; a list of dicts for rows."""
    rows = [dict(row) for row in rows]
    library = like if isinstance(like, str) else kind(like)
    if library == "pandas":
        import pandas

        return pandas.DataFrame(rows)
    if library == "polars":
        import polars

        return polars.DataFrame(rows)
    if library == "pyarrow":
        import pyarrow

        return pyarrow.Table.from_pylist(rows)
    return rows
