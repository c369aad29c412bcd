"""Parses every query of alerts, scaling and the dashboard with a PromQL parser."""

import json
import pathlib
import re
import sys

import promql_parser
import yaml

# Grafana replaces these variables by durations and label values.
VARIABLES = {r"\$__rate_interval": "5m", r"\$__interval": "1m", r"\$__range": "1h", r"\$\{?\w+\}?": "x"}


def expressions(value):
    """Yields every string under a key `expr` or `query`, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("expr", "query") and isinstance(inner, str):
                yield inner
            yield from expressions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from expressions(inner)


def documents(path):
    if path.suffix == ".json":
        return [json.loads(path.read_text())]
    return list(yaml.safe_load_all(path.read_text()))


def main():
    faults, read = [], 0
    files = [f for f in pathlib.Path().rglob("*") if f.suffix in (".json", ".yml", ".yaml")]
    for path in sorted(files):
        for query in expressions(documents(path)):
            if "vivid_" not in query:
                continue
            plain = query
            for variable, stand_in in VARIABLES.items():
                plain = re.sub(variable, stand_in, plain)
            read += 1
            try:
                promql_parser.parse(plain)
            except ValueError as error:
                faults.append(f"{path}: {query}: {error}")
    if read < 20:
        faults.append(f"queries are looked for in the wrong place: {read} were found")
    print(f"{read} queries were read")
    sys.exit("\n".join(faults) or None)


main()
