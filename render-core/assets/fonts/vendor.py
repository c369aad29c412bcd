#!/usr/bin/env python3
"""Makes the vendored faces of this folder: one zstd-compressed static TTF per family and weight.

Static faces come from npm packages, which npm installs by name and version from its configured registry. If no static
face has the width or optical size, the script takes an instance of a variable face from a package in requirements.txt.
It removes hinting and every character and layout feature that the renderer doesn't use, and compresses the result.

A modified face may not have a name that its licence reserves, so the script refuses a family with a reserved name.

Needs: npm; requirements.txt from PyPI.  Use: python3 vendor.py [family ...]   (no argument: all, old files removed)
"""

import dataclasses
import importlib.metadata
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile

import zstandard
from fontTools import subset
from fontTools.otlLib.builder import AlternateSubstBuilder
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.otBase import USE_HARFBUZZ_REPACKER
from fontTools.varLib import instancer

import charsets as sets

HERE = pathlib.Path(__file__).resolve().parent

# fontdue unpacks every glyph when it opens a face, so the renderer draws faces with more glyphs without it.
FONTDUE_GLYPHS = 3000

EUROPEAN_FEATURES = (
    "kern liga clig calt rlig ccmp locl mark mkmk tnum pnum lnum onum case frac numr dnom sups sinf subs ordn zero"
).split() + [f"ss{n:02}" for n in range(1, 21)]
# For a family that substitutes for another: the features that text needs, without stylistic alternates.
SUBSTITUTE_FEATURES = "kern liga calt ccmp locl mark mkmk tnum lnum case".split()
# Joining and contextual forms of Arabic; then the forms and marks of the Indic shaping engines.
COMPLEX_FEATURES = EUROPEAN_FEATURES + (
    "init medi med2 fina fin2 fin3 isol mset rclt rtlm stch curs "
    "nukt akhn rphf rkrf pref blwf abvf half pstf vatu cjct cfar pres abvs blws psts haln abvm blwm dist"
).split()
SYMBOL_FEATURES = "ccmp mark mkmk kern".split()
# Proportional and half widths, vertical forms, small kana for ruby.
EAST_ASIAN_FEATURES = "kern liga ccmp locl mark mkmk palt halt vert vrt2 vpal vhal vkrn ruby".split()


@dataclasses.dataclass(frozen=True)
class Variable:
    """A variable face of a PyPI package, and the position of a family on its axes other than weight."""

    package: str
    file: str
    at: dict[str, float]

    def folder(self) -> pathlib.Path:
        spec = importlib.util.find_spec(self.package.replace("-", "_"))
        if spec is None:
            sys.exit(f"{self.package} isn't installed: python3 -m pip install -r requirements.txt")
        return pathlib.Path(spec.submodule_search_locations[0])

    def instance(self, name: str, weight: int) -> TTFont:
        """Returns the static face, renamed to the family `name`; the source has the names of its default instance."""
        font = TTFont(self.folder() / "files" / self.file, recalcTimestamp=False)
        instancer.instantiateVariableFont(font, {**self.at, "wght": weight}, inplace=True)
        title = name.replace("-", " ").title()
        names = {1: f"{title} {weight}", 2: "Regular", 3: f"{name}-{weight}", 4: f"{title} {weight}",
                 6: f"{title.replace(' ', '')}-{weight}", 16: title, 17: str(weight)}
        for number, text in names.items():
            font["name"].removeNames(nameID=number)
            font["name"].setName(text, number, 3, 1, 0x409)
        return font


@dataclasses.dataclass(frozen=True)
class Family:
    """A family: its package and version, the characters to keep of each weight, and its layout features."""

    name: str
    version: str
    faces: dict[int, set[int]]
    features: list[str]
    # The script part of a @fontsource package; without it, the package is of @expo-google-fonts, which has no parts.
    part: str | None = None
    # The family whose package contains this one as its italic.
    italic_of: str | None = None
    # The source if it is a variable face; `version` is then the version of that face's package.
    variable: Variable | None = None

    @property
    def package(self) -> str:
        """Its npm package, unless its source is a variable face."""
        return f"@{'fontsource' if self.part else 'expo-google-fonts'}/{self.italic_of or self.name}"

    def source(self, modules: pathlib.Path, weight: int) -> pathlib.Path:
        if self.variable:
            instance = modules / f"{self.name}-{weight}.ttf"
            self.variable.instance(self.name, weight).save(instance)
            return instance
        package = modules / self.package
        if self.part:
            return package / "files" / f"{self.name}-{self.part}-{weight}-normal.woff2"
        italic = self.italic_of is not None
        [file] = [f for f in package.glob(f"{weight}*/*.ttf") if ("Italic" in f.name) == italic]
        return file

    def licence(self, modules: pathlib.Path) -> str:
        if self.variable:
            if (found := importlib.metadata.version(self.variable.package)) != self.version:
                sys.exit(f"{self.name}: {self.variable.package} is {found}, not {self.version}")
            file = self.variable.folder() / "LICENSE"
        else:
            file = modules / self.package / ("LICENSE" if self.part else "LICENSE_FONT")
        text = file.read_text(encoding="utf-8")
        if "SIL OPEN FONT LICENSE" not in text.upper():
            sys.exit(f"{self.name}: not under the SIL Open Font License")
        check_reserved(self.name, text.split("PREAMBLE")[0], [self.name])
        return text


def european(name: str, version: str, *weights: int) -> Family:
    return Family(name, version, {w: sets.EUROPEAN for w in weights}, EUROPEAN_FEATURES)


def substitute(name: str, version: str, *weights: int) -> Family:
    return Family(name, version, {w: sets.CYRILLIC for w in weights}, SUBSTITUTE_FEATURES)


def instanced(name: str, package: str, version: str, file: str, at: dict[str, float], *weights: int) -> Family:
    variable = Variable(package, f"{file}.ttf", at)
    return dataclasses.replace(european(name, version, *weights), variable=variable)


def archivo(name: str, width: int, *weights: int) -> Family:
    return instanced(name, "fontpkg-archivo", "2.1", "Archivo[wdth,wght]", {"wdth": width}, *weights)


def newsreader(name: str, file: str, *weights: int) -> Family:
    return instanced(name, "fontpkg-newsreader", "1.003", f"{file}[opsz,wght]", {"opsz": 72}, *weights)


def bricolage(name: str, size: int, width: int, *weights: int) -> Family:
    at = {"opsz": size, "wdth": width}
    return instanced(name, "fontpkg-bricolage-grotesque", "1.1", "BricolageGrotesque[opsz,wdth,wght]", at, *weights)


def east_asian(name: str, version: str, faces: dict[int, set[int]]) -> Family:
    return Family(name, version, faces, EAST_ASIAN_FEATURES)


def script(name: str, version: str, chars: set[int], *weights: int, part: str | None = None) -> Family:
    return Family(name, version, {w: chars for w in weights}, COMPLEX_FEATURES, part)


FAMILIES = [
    european("manrope", "0.4.2", 500, 600, 700, 800),
    european("hanken-grotesk", "0.4.3", 500, 600, 700),
    european("instrument-serif", "0.4.1", 400),
    dataclasses.replace(european("instrument-serif-italic", "0.4.1", 400), italic_of="instrument-serif"),
    european("inter-tight", "0.4.2", 400, 500, 600, 700),
    european("instrument-sans", "0.4.2", 400, 500, 600),
    european("space-grotesk", "0.4.1", 500, 600, 700),
    european("geist", "0.4.2", 400, 500, 600),
    european("geist-mono", "0.4.3", 400, 500),
    archivo("archivo-extra-condensed", 62, 900),
    archivo("archivo-condensed", 75, 900),
    archivo("archivo-semi-condensed", 87, 900),
    archivo("archivo", 100, 500, 600, 700, 900),
    archivo("archivo-semi-expanded", 112, 800, 900),
    archivo("archivo-expanded", 125, 900),
    newsreader("newsreader", "Newsreader", 300, 400, 500),
    newsreader("newsreader-italic", "Newsreader-Italic", 300, 400),
    european("fredoka", "0.4.1", 600, 700),
    european("nunito", "0.4.2", 600, 700, 800),
    european("public-sans", "0.4.2", 400, 500, 600, 700),
    instanced("literata", "fontpkg-literata", "3.103", "Literata[opsz,wght]", {"opsz": 72}, 600),
    bricolage("bricolage-display", 96, 88, 800),
    bricolage("bricolage", 24, 100, 400, 500, 600, 700),
    substitute("unbounded", "0.4.1", 800),
    substitute("onest", "0.4.2", 400, 500, 700, 800),
    substitute("cormorant", "0.4.2", 300, 400),
    dataclasses.replace(substitute("cormorant-italic", "0.4.2", 300, 400), italic_of="cormorant"),
    european("noto-sans", "0.4.2", 400, 600, 700),
    european("noto-serif", "0.4.2", 400, 600),
    script("readex-pro", "0.4.1", sets.ARABIC | sets.EUROPEAN, 400, 600, 700),
    script("vazirmatn", "0.4.1", sets.ARABIC, 400, 600, 800),
    script("noto-naskh-arabic", "0.4.5", sets.ARABIC, 400, 700),
    script("noto-sans-hebrew", "0.4.1", sets.HEBREW, 400, 600, 700),
    script("noto-serif-hebrew", "0.4.2", sets.HEBREW, 400, 600),
    script("noto-sans-devanagari", "0.4.1", sets.DEVANAGARI, 400, 600, 700),
    script("noto-serif-devanagari", "0.4.1", sets.DEVANAGARI, 400, 600),
    script("noto-sans-bengali", "0.4.4", sets.BENGALI, 400, 600, 700),
    script("noto-serif-bengali", "0.4.4", sets.BENGALI, 400),
    script("noto-sans-tamil", "0.4.3", sets.TAMIL, 400, 600, 700),
    script("noto-serif-tamil", "5.3.0", sets.TAMIL, 400, part="tamil"),
    script("noto-sans-telugu", "0.4.2", sets.TELUGU, 400, 600, 700),
    script("noto-serif-telugu", "0.4.2", sets.TELUGU, 400),
    script("noto-sans-thai", "0.4.2", sets.THAI, 400, 600, 700),
    script("noto-serif-thai", "5.3.0", sets.THAI, 400, 600, part="thai"),
    script("noto-sans-georgian", "0.4.3", sets.GEORGIAN, 400, 600, 700),
    script("noto-serif-georgian", "5.3.0", sets.GEORGIAN, 400, part="georgian"),
    script("noto-sans-armenian", "0.4.2", sets.ARMENIAN, 400, 600, 700),
    script("noto-serif-armenian", "5.3.0", sets.ARMENIAN, 400, part="armenian"),
    script("noto-sans-ethiopic", "0.4.2", sets.ETHIOPIC, 400, 600, 700),
    east_asian("noto-sans-sc", "0.4.3", {400: sets.simplified(3), 700: sets.simplified(3)}),
    east_asian("noto-sans-tc", "0.4.3", {400: sets.traditional(2), 700: sets.traditional(1)}),
    east_asian("noto-sans-jp", "0.4.3", {400: sets.japanese(), 700: sets.japanese()}),
    east_asian("noto-sans-kr", "0.4.3", {400: sets.korean(), 700: sets.korean()}),
    east_asian("shippori-mincho", "0.4.1", {500: sets.japanese(), 700: sets.japanese()}),
    Family("noto-sans-mono", "0.4.2", {400: sets.BOXES}, SYMBOL_FEATURES),
    Family("noto-sans-math", "0.4.2", {400: sets.MATHS}, SYMBOL_FEATURES + ["rtlm"]),
    Family("noto-sans-symbols", "0.4.1", {400: sets.SYMBOLS}, SYMBOL_FEATURES),
    Family("noto-sans-symbols-2", "0.4.1", {400: sets.SYMBOLS}, SYMBOL_FEATURES),
]


def check_reserved(family: str, notice: str, names: list[str]) -> None:
    """Exits if a copyright notice reserves a font name (OFL 1.1, clause 3) and one of `names` contains a word of it."""
    clause = re.search(r"reserved font names?\b(.*)", notice, re.I | re.S)
    if not clause:
        return
    reserved = re.findall(r"[\"'“‘]([^\"'”’]+)[\"'”’]", clause[1])
    if not reserved:
        sys.exit(f"{family}: the licence reserves a name that this script can't read: {clause[0][:80]}")
    for word in " ".join(reserved).lower().split():
        if any(word in name.lower() for name in names):
            sys.exit(f"{family}: the licence reserves the name {word}, the face may not be subset under it")


def name_all_glyphs(font: TTFont) -> None:
    """Adds a GSUB lookup that no feature uses and whose alternates are all glyphs.

    fontdue loads the glyphs in cmap and GSUB lookups, but misses the last glyph of a range in single substitutions and
    all components that shaping reaches in other ways. These glyphs would be empty. It reads alternates completely.
    """
    builder = AlternateSubstBuilder(font, None)
    builder.alternates = {".notdef": font.getGlyphOrder()[1:]}
    lookups = font["GSUB"].table.LookupList
    lookups.Lookup.append(builder.build())
    lookups.LookupCount = len(lookups.Lookup)


def shrink(source: pathlib.Path, family: Family, chars: set[int]) -> TTFont:
    options = subset.Options()
    options.layout_features = family.features
    options.hinting = False
    options.legacy_kern = False
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.drop_tables += ["DSIG", "STAT", "gasp", "meta", "MATH"]
    font = TTFont(source, recalcTimestamp=False)
    font.flavor = None
    # Makes the output independent of whether uharfbuzz is installed.
    font.cfg[USE_HARFBUZZ_REPACKER] = False
    records = font["name"].names
    names = [str(r) for r in records if r.nameID in (1, 3, 4, 6, 16)]
    for record in records:
        if record.nameID in (0, 13):
            check_reserved(source.name, str(record), names)
    worker = subset.Subsetter(options)
    worker.populate(unicodes=chars)
    worker.subset(font)
    if "GSUB" in font and font["GSUB"].table.LookupList and len(font.getGlyphOrder()) <= FONTDUE_GLYPHS:
        name_all_glyphs(font)
    return font


def install(families: list[Family], folder: str) -> pathlib.Path:
    """Installs the npm packages of the families into a folder. Returns the folder of the modules."""
    modules = pathlib.Path(folder, "node_modules")
    modules.mkdir()
    packages = [f"{f.package}@{f.version}" for f in families if not f.variable]
    if packages:
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder,
                        *packages], check=True)
    return modules


def main() -> None:
    wanted = [f for f in FAMILIES if not sys.argv[1:] or f.name in sys.argv[1:]]
    if len(wanted) < len(sys.argv[1:]):
        sys.exit("no such family")
    if not sys.argv[1:]:
        for old in [*HERE.glob("*.ttf.zst"), *HERE.glob("licences/*.txt")]:
            old.unlink()
    (HERE / "licences").mkdir(exist_ok=True)
    compressor = zstandard.ZstdCompressor(level=22, write_checksum=True)
    total = 0
    with tempfile.TemporaryDirectory() as tmp:
        modules = install(wanted, tmp)
        for family in wanted:
            (HERE / "licences" / f"{family.name}.txt").write_text(family.licence(modules), encoding="utf-8")
            for weight, chars in family.faces.items():
                source = family.source(modules, weight)
                font = shrink(source, family, chars)
                out = io.BytesIO()
                font.save(out)
                packed = compressor.compress(out.getvalue())
                (HERE / f"{family.name}-{weight}.ttf.zst").write_bytes(packed)
                total += len(packed)
                print(f"{family.name}-{weight}: {len(font.getGlyphOrder())} glyphs, {source.stat().st_size} -> "
                      f"{len(out.getvalue())} -> {len(packed)}", flush=True)
    print(f"total {total}")


if __name__ == "__main__":
    main()
