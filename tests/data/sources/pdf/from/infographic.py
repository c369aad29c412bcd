"""Makes a poster of one chart, like an export from a notebook: few words, many small labels, Type 3 fonts."""

import datetime

SHARES = [("Cuisine et restes", 34), ("Emballages", 27), ("Papier", 16), ("Textiles", 9), ("Verre", 8), ("Divers", 6)]


def write(path, epoch):
    """Writes the poster to `path`, dated `epoch` (seconds since 1970)."""
    import matplotlib
    matplotlib.use("pdf")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(7, 8.75))
    figure.subplots_adjust(left=0.3, right=0.94, top=0.76, bottom=0.16)
    names, values = zip(*SHARES[::-1])
    bars = axes.barh(names, values, color=["#8aa"] * 5 + ["#c33"])
    axes.bar_label(bars, [f"{v} %" for v in values], padding=4)
    axes.set_xlim(0, 40)
    axes.set_xlabel("Part du poids total, en %")
    axes.spines[["top", "right"]].set_visible(False)
    figure.text(0.06, 0.92, "Ce que Vauclerc jette", size=26, weight="bold")
    figure.text(0.06, 0.85, "Un tiers de nos poubelles pourrait nourrir nos jardins.", size=13)
    figure.text(0.06, 0.81, "Chaque habitant jette 412 kg de déchets par an.", size=13)
    figure.text(0.06, 0.04, "Source : pesée de 250 sacs, Ville de Vauclerc, mars 2026", size=9)
    date = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    figure.savefig(path, metadata={"Title": "Ce que Vauclerc jette", "CreationDate": date})
