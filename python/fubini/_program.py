"""The program that does the work, and how it is called."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

Progress = Union[bool, Callable[[str], None], None]  # True shows one line, which changes


class FubiniError(Exception):
    """What the program refused, in its words."""


def path() -> str:
    """The program: that of the variable FUBINI, the one in this package, or the one in PATH."""
    if given := os.environ.get("FUBINI"):
        return given
    own = Path(__file__).parent / "bin" / ("fubini.exe" if sys.platform == "win32" else "fubini")
    if own.exists():
        return str(own)
    if found := shutil.which("fubini"):
        return found
    raise FubiniError("the program fubini is not in this package nor in PATH; install the wheel of your platform, or set FUBINI")


def flags(values: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags: min_support=5 is --min-support 5, True a switch, None nothing."""
    words: list[str] = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            words += [flag, ",".join(f"{k}={v}" for k, v in value.items())]
        elif isinstance(value, (list, tuple)):
            words += [flag, ",".join(str(v) for v in value)]
        else:
            words += [flag, str(value)]
    return words


def show(line: str) -> None:
    """Shows a line of progress in the place of the last one, in notebooks and terminals."""
    print("\r" + line[:100].ljust(100), end="", flush=True)


def run(words: Sequence[str], text: Optional[str] = None, progress: Progress = None) -> str:
    """Runs a command and returns what it wrote to standard output.

    Lines that it writes to standard error go to progress, if that is given; the last one is the error if it fails.
    """
    process = subprocess.Popen([path(), *words], stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        if not progress:
            out, err = process.communicate(text)
        else:
            out, err = _follow(process, text, show if progress is True else progress)
            if progress is True:
                print()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if process.returncode != 0:
        lines = [line for line in err.splitlines() if line.strip()]
        raise FubiniError(lines[-1].removeprefix("fubini: ") if lines else f"fubini ended with {process.returncode}")
    return out


def _follow(process: subprocess.Popen, text: Optional[str], progress: Callable[[str], None]) -> tuple[str, str]:
    import threading

    lines: list[str] = []

    def listen() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            progress(line.rstrip("\n"))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    if text is not None and process.stdin is not None:
        process.stdin.write(text)
        process.stdin.close()
    out = process.stdout.read() if process.stdout else ""
    process.wait()
    listener.join()
    return out, "".join(lines)


def records(words: Sequence[str], **more: Any) -> list[dict[str, Any]]:
    """Runs a command whose result is a table, and returns its rows."""
    quiet = [] if more.get("progress") else ["--quiet"]
    return [json.loads(line) for line in run([*words, "--format", "jsonl", *quiet], **more).splitlines() if line]


def document(words: Sequence[str], **more: Any) -> dict[str, Any]:
    """Runs a command whose result is one JSON object."""
    return json.loads(run([*words, "--format", "json", "--quiet"], **more))


def main(arguments: Optional[Iterable[str]] = None) -> int:
    """The program itself, for the command fubini that the wheel installs."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.platform == "win32":
        return subprocess.call([path(), *words])
    os.execv(path(), [path(), *words])
    return 0
