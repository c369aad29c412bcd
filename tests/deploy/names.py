"""Checks the names in deploy/ against the code: settings, flags, metrics, alerts and their runbooks, ports, jobs."""

import os
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path("..")
# Flags of other programs that deploy/ calls, and the program of each.
FOREIGN = {
    "--build": "docker",
    "--scale": "docker",
    "--from": "docker",
    "--mount": "docker",
    "--from-file": "kubectl",
    "--from-env-file": "kubectl",
    "--profile": "cargo",
    "--locked": "cargo",
    "--no-install-recommends": "apt-get",
    "--no-create-home": "useradd",
    "--uid": "useradd",
    "--user": "mc",
    "--force-recreate": "docker",
    "--ignore-existing": "mc",
}
# Suffixes of the series of a histogram.
READ_BY = ("_bucket", "_count", "_sum")


def without_tests(path):
    return (ROOT / path).read_text().split("#[cfg(test)]")[0]


def variables(*paths):
    """Returns the settings of a binary, as names of environment variables."""
    return {name for path in paths for name in re.findall(r'"(VIVID_[A-Z0-9_]+)"', without_tests(path))}


def of_flags(names):
    return {"--" + name.removeprefix("VIVID_").lower().replace("_", "-") for name in names}


def metrics():
    """Returns all metrics, and those that are histograms."""
    there, histograms = set(), set()
    for path in ("coordinator/src/metrics.rs", "worker/src/metrics.rs"):
        text = without_tests(path)
        there |= set(re.findall(r'"(vivid_[a-z0-9_]+)"', text))
        histograms |= set(re.findall(r'histogram!\(\s*"(vivid_[a-z0-9_]+)"', text))
        constants = dict(re.findall(r'const ([A-Z_]+): &str = "(vivid_[a-z0-9_]+)"', text))
        histograms |= {constants[name] for name in re.findall(r"describe_histogram!\(([A-Z_]+)", text)}
    return there, histograms


def plain(name, histograms):
    """Returns the metric that a query reads under this name."""
    base = next((name.removesuffix(end) for end in READ_BY if name.endswith(end)), name)
    return base if base in histograms else name


def anchors(page):
    """Returns the anchors of a page, as GitHub derives them from its headings."""
    heads = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def of_containers(folder):
    """Yields the containers in the manifests of a folder, each with the path of its manifest."""
    for path in sorted(folder.glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            pod = (document or {}).get("spec", {}).get("template", {}).get("spec", {})
            for container in pod.get("containers", []):
                yield path, container


def main():
    faults = []

    def unknown(where, what, named, there):
        faults.extend(f"{where}: {name} is no {what}" for name in sorted(set(named) - there))

    settings = {
        "coordinator": variables("coordinator/src/config.rs", "coordinator/src/config/settings.rs"),
        "worker": variables("worker/src/config.rs"),
    }
    there, histograms = metrics()
    if min(len(settings["coordinator"]), len(settings["worker"]), len(there)) < 10 or len(histograms) < 5:
        sys.exit("names are looked for in the wrong place")
    everything = settings["coordinator"] | settings["worker"]
    readme = set(re.findall(r"^\| `(--[a-z-]+)`", (ROOT / "README.md").read_text(), re.MULTILINE))
    ours = of_flags(everything)

    named_flags, count = set(), 0
    files = sorted(f for f in pathlib.Path().rglob("*") if f.is_file() and "secrets" not in f.parts)
    for path in files:
        text = path.read_text()
        # Abbreviated names such as `vivid-…` and VIVID_… don't match.
        names = set(re.findall(r"\bVIVID_[A-Z0-9_]+\b", text)) - {"VIVID_SERVICE_HOST"}
        unknown(path, "setting", names, everything)
        flags = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9_-]*", text))
        unknown(path, "flag of ours or of what is called here", flags, ours | set(FOREIGN))
        # deploy/ may only use settings of the service that README documents.
        shown = {flag for flag in flags & of_flags(settings["coordinator"])} - readme
        faults.extend(f"{path}: README does not list {flag}" for flag in sorted(shown))
        metric_names = {plain(name, histograms) for name in re.findall(r"\bvivid_[a-z0-9_]+\b", text)}
        unknown(path, "metric", metric_names, there)
        named_flags |= flags
        count += len(names) + len(flags) + len(metric_names)
    for flag in sorted(set(FOREIGN) - named_flags):
        faults.append(f"tests/deploy/names.py: nothing in deploy/ calls {FOREIGN[flag]} with {flag} any more")

    # Each binary refuses the other's flags; the coordinator also refuses unknown variables.
    kinds = {"vivid-coordinator": "coordinator", "vivid-worker": "worker"}
    containers = list(of_containers(pathlib.Path("kubernetes")))
    if len(containers) < 3:
        faults.append("kubernetes: containers are looked for in the wrong place")
    for path, container in containers:
        kind = kinds.get(container["image"])
        if kind is None:
            faults.append(f"{path}: whose is the image {container['image']}?")
            continue
        flags = [a.split("=")[0] for a in container.get("args", [])]
        unknown(path, f"flag of the {kind}", flags, of_flags(settings[kind]))
        own = [e["name"] for e in container.get("env", []) if e["name"].startswith("VIVID_")]
        unknown(path, f"setting of the {kind}", own, settings[kind])
        ports = {p["name"] for p in container["ports"]}
        probes = [container[p]["httpGet"] for p in ("startupProbe", "readinessProbe", "livenessProbe")]
        faults.extend(f"{path}: a probe asks at {p['port']}, no port" for p in probes if p["port"] not in ports)
    shared = yaml.safe_load(pathlib.Path("kubernetes/settings.yaml").read_text())["data"]
    unknown("kubernetes/settings.yaml", "setting of the coordinator", filter(is_setting, shared), settings["coordinator"])
    compose = yaml.safe_load(pathlib.Path("compose.yaml").read_text())["services"]
    for kind in settings:
        path = pathlib.Path(f"{kind}.Dockerfile")
        image = re.findall(r"\b(VIVID_[A-Z0-9_]+)=", path.read_text())
        unknown(path, f"setting of the {kind}", image, settings[kind])
        for name, service in of_image(compose, kind):
            given = filter(is_setting, [*service["environment"], *in_files(service)])
            unknown(f"compose.yaml, {name}", f"setting of the {kind}", given, settings[kind])

    model = yaml.safe_load(pathlib.Path("compose.model.yaml").read_text())["services"]
    for name, service in model.items():
        if name == "model":
            continue
        if name not in compose:
            faults.append(f"compose.model.yaml: compose.yaml has no service {name}")
        kind = "coordinator" if name == "coordinator" else "worker"
        unknown(f"compose.model.yaml, {name}", f"setting of the {kind}", service["environment"], settings[kind])

    # Every alert links to an existing section, and the page lists every alert.
    page = (ROOT / "docs/operations.md").read_text()
    heads = anchors(page)
    alerts = yaml.safe_load(pathlib.Path("prometheus/alerts.yml").read_text())
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    for rule in rules:
        where = rule["annotations"]["runbook"]
        document, _, anchor = where.partition("#")
        if document != "docs/operations.md" or anchor not in heads:
            faults.append(f"prometheus/alerts.yml: {rule['alert']} leads to {where}, which is not there")
    shown = set(re.findall(r"^\| `(Vivid\w+)` \|", page, re.MULTILINE))
    names = {rule["alert"] for rule in rules}
    faults.extend(f"docs/operations.md: {name} is an alert there or in alerts.yml alone" for name in sorted(names ^ shown))

    # Prometheus scrapes every job that alerts query, and every scrape target exists in compose and in the cluster.
    scraped = yaml.safe_load(pathlib.Path("prometheus/prometheus.yml").read_text())
    jobs = {job["job_name"] for job in scraped["scrape_configs"]}
    for rule in rules:
        unknown(f"alert {rule['alert']}", "job of prometheus.yml", re.findall(r'job="([^"]+)"', rule["expr"]), jobs)
    services = set()
    for path in sorted(pathlib.Path("kubernetes").glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            if document["kind"] == "Service":
                services.add((document["metadata"]["name"], *(p["port"] for p in document["spec"]["ports"])))
    for host, port in sorted(collected(scraped)):
        if host not in compose and not any(host in aliases(service) for service in compose.values()):
            faults.append(f"prometheus.yml: compose.yaml has no service {host}")
        if not any(name == host and port in ports for name, *ports in services):
            faults.append(f"prometheus.yml: no Service of kubernetes/ is called {host} and has port {port}")
        image = pathlib.Path(f"{host}.Dockerfile")
        if not image.is_file() or f"VIVID_METRICS_LISTEN=0.0.0.0:{port}" not in image.read_text():
            faults.append(f"prometheus.yml: {host} does not serve its metrics on port {port}")
    print(f"{count} names were looked up")
    sys.exit("\n".join(faults) or None)


def of_image(compose, kind):
    """Yields the services that run one of our images."""
    for name, service in compose.items():
        if service.get("build", {}).get("dockerfile") == f"deploy/{kind}.Dockerfile":
            yield name, service


def in_files(service):
    """Yields the variables in a service's env files, which deploy/secrets.sh wrote to SECRETS."""
    for file in service.get("env_file", []):
        made = pathlib.Path(os.environ["SECRETS"], pathlib.Path(file).name)
        yield from re.findall(r"^([A-Z0-9_]+)=", made.read_text(), re.MULTILINE)


def aliases(service):
    networks = service.get("networks", {})
    return {alias for network in networks.values() for alias in network.get("aliases", [])}


def is_setting(name):
    return name.startswith("VIVID_")


def collected(scraped):
    """Yields the host and port of every scrape target."""
    for job in scraped["scrape_configs"]:
        for group in job.get("static_configs", []):
            for target in group["targets"]:
                host, _, port = target.partition(":")
                yield host, int(port)
        for lookup in job.get("dns_sd_configs", []):
            for name in lookup["names"]:
                yield name, lookup["port"]


main()
