#!/usr/bin/env python3
"""Fetches from npm, in these versions, what the console uses of others' work, and writes it beside this file.

Needs npm. Run it after a change of versions or of icons.txt: `python3 vendor.py`. Its results are committed, so neither a build nor a
start needs it.
"""

import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GEIST, GEIST_MONO = "@fontsource-variable/geist@5.3.0", "@fontsource-variable/geist-mono@5.3.0"
INSTRUMENT_SERIF = "@fontsource/instrument-serif@5.3.0"
LUCIDE, UPLOT, ESBUILD = "lucide-static@1.62.0", "uplot@1.6.32", "esbuild@0.28.2"
# File of a package -> file here.
FILES = {
    GEIST: {"files/geist-latin-wght-normal.woff2": "geist.woff2", "LICENSE": "licences/geist.txt"},
    GEIST_MONO: {"files/geist-mono-latin-wght-normal.woff2": "geist-mono.woff2", "LICENSE": "licences/geist-mono.txt"},
    INSTRUMENT_SERIF: {
        "files/instrument-serif-latin-400-normal.woff2": "instrument-serif.woff2",
        "LICENSE": "licences/instrument-serif.txt",
    },
    LUCIDE: {"LICENSE": "licences/lucide.txt"},
    UPLOT: {"LICENSE": "licences/uplot.txt"},
}


def unpack(package: str, into: Path) -> Path:
    """Fetches a package and gives the folder that it was unpacked into."""
    told = subprocess.run(["npm", "pack", "--silent", package], cwd=into, check=True, capture_output=True, text=True)
    folder = into / re.sub(r"\W+", "-", package)
    with tarfile.open(into / told.stdout.split()[-1]) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def sprite(icons: Path) -> str:
    """One SVG with a symbol for each icon of icons.txt."""
    symbols = []
    for name in sorted(set((HERE / "icons.txt").read_text().split())):
        drawing = (icons / f"{name}.svg").read_text()
        inside = re.search(r"<svg[^>]*>(.*)</svg>", drawing, re.DOTALL)[1]
        symbols.append(f'<symbol id="{name}" viewBox="0 0 24 24">{" ".join(inside.split())}</symbol>')
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def main() -> None:
    (HERE / "licences").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        places = {package: unpack(package, Path(folder)) for package in FILES}
        for package, files in FILES.items():
            for source, target in files.items():
                (HERE / target).write_bytes((places[package] / source).read_bytes())
        (HERE / "icons.svg").write_text(sprite(places[LUCIDE] / "icons"))
        dist = places[UPLOT] / "dist"
        (HERE / "uplot.css").write_bytes((dist / "uPlot.min.css").read_bytes())
        subprocess.run(
            ["npx", "--yes", ESBUILD, "uPlot.esm.js", "--minify", f"--outfile={HERE / 'uplot.js'}", "--log-level=error"],
            cwd=dist, check=True,
        )


if __name__ == "__main__":
    main()
