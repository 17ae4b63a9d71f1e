"""Cuts the page's font out of Inter, and fits fonts that machines have to its measures.

make.sh fetches what it reads and runs it. It writes the files of app/web/src/fonts: a woff2 file for each
script, and fonts.css, which names them and the stand-ins. The same versions write the same bytes.
"""

import collections
import io
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# The weights that the style sheets use, and the axis of optical sizes at its text end.
LIMITS = {"wght": (400, 700), "opsz": 14}

# Marks are composed with their letters, and digits can be of one width. Ligatures that turn "->" into an arrow
# are left out: a name is shown as it was written.
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk", "tnum"]

# What a browser looks at to choose the files it needs. A page in English needs the last one alone.
SCRIPTS = {
    "greek": "U+0370-03FF, U+1F00-1FFF",
    "cyrillic": "U+0400-052F, U+1C80-1C8A, U+2116",
    "latin-ext": "U+0100-0130, U+0132-0151, U+0154-024F, U+0300-030C, U+0323, U+0326-0328, U+0331, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0",
    "latin": "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2190-2193, U+2212, U+2215, U+FEFF, U+FFFD",
}

# Fonts that machines have: the file to measure and the names of it and of fonts with the same widths, by weight.
STANDINS = {
    "Arial": {
        400: ("LiberationSans-Regular.ttf", ["Arial", "ArialMT", "Liberation Sans", "LiberationSans", "Arimo", "Arimo-Regular", "Helvetica"]),
        700: ("LiberationSans-Bold.ttf", ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold", "LiberationSans-Bold", "Arimo Bold", "Arimo-Bold", "Helvetica Bold", "Helvetica-Bold"]),
    },
    "Roboto": {
        400: ("roboto-latin-400-normal.woff2", ["Roboto", "Roboto-Regular"]),
        700: ("roboto-latin-700-normal.woff2", ["Roboto Bold", "Roboto-Bold"]),
    },
    "Noto Sans": {
        400: ("noto-sans-latin-400-normal.woff2", ["Noto Sans", "NotoSans-Regular", "Noto Sans Regular"]),
        700: ("noto-sans-latin-700-normal.woff2", ["Noto Sans Bold", "NotoSans-Bold"]),
    },
    "DejaVu Sans": {
        400: ("DejaVuSans.ttf", ["DejaVu Sans", "DejaVuSans"]),
        700: ("DejaVuSans-Bold.ttf", ["DejaVu Sans Bold", "DejaVuSans-Bold"]),
    },
}
# Bold stands in for 550, 650 and 700; most of it is 650.
MEASURED = {400: 400, 700: 650}

# Letters of English text in their usual shares, in words of 4.7 letters, one capital and one digit for every 20.
SAMPLE = collections.Counter(
    dict(e=127, t=91, a=82, o=75, i=70, n=67, s=63, h=61, r=60, d=43, l=40, c=28, u=28, m=24, w=24, f=22, g=20, y=20, p=19, b=15, v=10, k=8)
)
SAMPLE.update({" ": 213, **{letter: 2 for letter in "ABCDEFGHILMNOPRSTUVW"}, **{digit: 5 for digit in "0123456789"}})


def width(font: TTFont) -> float:
    """The mean width of a letter of the sample, in em."""
    cmap, advances = font.getBestCmap(), font["hmtx"]
    return sum(n * advances[cmap[ord(letter)]][0] for letter, n in SAMPLE.items()) / SAMPLE.total() / font["head"].unitsPerEm


def codes(ranges: str) -> list[int]:
    found = []
    for part in ranges.replace("U+", "").split(", "):
        first, _, last = part.partition("-")
        found += range(int(first, 16), int(last or first, 16) + 1)
    return found


def cut(inter: bytes, script: str, into: pathlib.Path) -> None:
    """Writes the glyphs of one script, and what the licence asks to be kept in the file."""
    font = TTFont(io.BytesIO(inter), recalcTimestamp=False)
    cutter = subset.Subsetter(subset.Options(layout_features=FEATURES, name_IDs=[0, 1, 2, 3, 5, 6, 13, 14], notdef_outline=True))
    cutter.populate(unicodes=codes(SCRIPTS[script]))
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(into)


def main(inputs: pathlib.Path, into: pathlib.Path) -> None:
    source = inputs / "InterVariable.woff2"
    inter = io.BytesIO()
    instancer.instantiateVariableFont(TTFont(source, recalcTimestamp=False), LIMITS).save(inter)
    css = ["/* Made by tools/pagefont/make.sh, never edited: the page's font, and fonts of the machine in its measures until it is there. */"]
    for script, ranges in SCRIPTS.items():
        cut(inter.getvalue(), script, into / f"inter-{script}.woff2")
        css.append(
            f'@font-face {{ font-family: "Inter"; font-weight: {LIMITS["wght"][0]} {LIMITS["wght"][1]}; font-display: swap; '
            f'src: url("./inter-{script}.woff2") format("woff2"); unicode-range: {ranges}; }}'
        )
    widths = {}
    for weight, measured in MEASURED.items():
        one = instancer.instantiateVariableFont(TTFont(source), {"wght": measured, "opsz": LIMITS["opsz"]})
        widths[weight] = width(one)
        em, line = one["head"].unitsPerEm, one["hhea"]
    for family, weights in STANDINS.items():
        for weight, (file, names) in weights.items():
            size = widths[weight] / width(TTFont(inputs / file))
            local = ", ".join(f'local("{name}")' for name in names)
            css.append(
                f'@font-face {{ font-family: "Inter {family}"; font-weight: {weight}; src: {local}; size-adjust: {size:.2%}; '
                f"ascent-override: {line.ascent / em / size:.2%}; descent-override: {-line.descent / em / size:.2%}; line-gap-override: {line.lineGap / em / size:.2%}; }}"
            )
    (into / "fonts.css").write_text("\n".join(css) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
