"""Validates files for which no packaged schema exists against our own schemas, and checks that files agree with each
other: alerts, Prometheus scrape targets, KEDA objects, kustomizations, and the images of compose."""

import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

HERE = pathlib.Path(__file__).parent
OLDEST = "vivid_jobs_oldest_waiting_seconds"


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def against(schema, where, document):
    """Yields the violations of a document against its schema."""
    text = json.loads((HERE / f"{schema}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(text)
    for error in jsonschema.Draft202012Validator(text).iter_errors(document):
        yield f"{where}: {error.json_path}: {error.message}"


def shaped():
    """Yields all schema violations."""
    for schema in ("alerts", "prometheus"):
        path = pathlib.Path("prometheus") / f"{schema}.yml"
        for document in documents(path):
            yield from against(schema, path, document)
    for path in sorted(pathlib.Path("kubernetes").glob("*.yaml")):
        for document in documents(path):
            if document["kind"] == "ScaledObject":
                yield from against("scaled-object", f"{path}, {document['metadata']['name']}", document)


def prometheus():
    folder = pathlib.Path("prometheus")
    (alerts,) = documents(folder / "alerts.yml")
    (collected,) = documents(folder / "prometheus.yml")
    names = [rule["alert"] for group in alerts["groups"] for rule in group["rules"]]
    yield from (f"prometheus/alerts.yml: {name} is there twice" for name in {n for n in names if names.count(n) > 1})
    for file in collected["rule_files"]:
        if not (folder / file).is_file():
            yield f"prometheus/prometheus.yml: {file} is not there"


def kustomizations(folder):
    """Yields errors of a kustomization: it must list its folder's files, and may read only these and whole folders."""
    path = folder / "kustomization.yaml"
    if not path.is_file():
        yield f"{folder}: no kustomization is there"
        return
    (said,) = documents(path)
    known = {"apiVersion", "kind", "resources", "configMapGenerator", "generatorOptions"}
    yield from (f"{path}: {key} is not looked at here" for key in sorted(set(said) - known))
    root = folder.resolve()
    for resource in said.get("resources", []):
        target = folder / resource
        if target.is_dir():
            yield from kustomizations(target)
        elif not target.is_file() or not target.resolve().is_relative_to(root):
            yield f"{path}: {resource} can't be read"
    for generator in said.get("configMapGenerator", []):
        for file in generator["files"]:
            target = folder / file.rpartition("=")[2]
            if not target.is_file() or not target.resolve().is_relative_to(root):
                yield f"{path}: {file} can't be read"
    there = {f.name for f in folder.glob("*.yaml")} - {path.name}
    yield from (f"{path}: {name} is there, and not named" for name in sorted(there - set(said.get("resources", []))))


def scaling():
    """Yields errors of autoscaling: one object must scale each Deployment, by the right queries."""
    objects, deployments, addresses = [], {}, set()
    for path in sorted(pathlib.Path("kubernetes").glob("*.yaml")):
        for document in documents(path):
            if document["kind"] == "ScaledObject":
                objects.append(document["spec"])
            elif document["kind"] == "Deployment":
                deployments[document["metadata"]["name"]] = document["spec"]
    targets = sorted(spec["scaleTargetRef"]["name"] for spec in objects)
    if targets != sorted(deployments) or len(targets) < 2:
        yield f"kubernetes: {targets} are scaled, and {sorted(deployments)} are there"
    for name, spec in sorted(deployments.items()):
        if "replicas" in spec:
            yield f"kubernetes: {name} says how many there are, and so would take KEDA's number back at each apply"
    for spec in objects:
        name = spec["scaleTargetRef"]["name"]
        if spec["minReplicaCount"] >= spec["maxReplicaCount"]:
            yield f"kubernetes: {name} has no room between least and most"
        first, *others = (trigger["metadata"]["query"] for trigger in spec["triggers"])
        if first != f"max({OLDEST})" or any(OLDEST in query for query in others):
            yield f"kubernetes: {name} is scaled by the age of the queue first, and by something else next"
        addresses |= {trigger["metadata"]["serverAddress"] for trigger in spec["triggers"]}
    said = pathlib.Path("kubernetes/kustomization.yaml").read_text()
    if len(addresses) != 1 or not all(f"{address} " in said for address in addresses):
        yield f"kubernetes: Prometheus is asked at {sorted(addresses)}; kustomization.yaml says where it must be"


def at(source):
    """Returns the path of a file in compose.yaml. Secrets are where deploy/secrets.sh made them for this run."""
    path = pathlib.PurePath(source)
    return pathlib.Path(os.environ["SECRETS"], *path.parts[1:]) if path.parts[0] == "secrets" else pathlib.Path(path)


def secrets():
    """Yields errors of deploy/secrets.sh: secrets must be distinct, long, private, and unchanged by a rerun."""
    folder, seen = pathlib.Path(os.environ["SECRETS"]), {}
    for path in sorted(folder.iterdir()):
        if path.stat().st_mode & 0o077:
            yield f"secrets.sh: others can read {path.name}"
        if path.suffix == ".env":
            for secret in re.findall(r"(?:[:]|PASSWORD=|SECRET_ACCESS_KEY=)([^:@/=\n]+)(?:@.*)?$", path.read_text(), re.MULTILINE):
                if not re.fullmatch("[0-9a-f]{48}", secret):
                    yield f"secrets.sh: {path.name} has a secret that is none: {secret}"
                if secret in seen:
                    yield f"secrets.sh: {path.name} and {seen[secret]} have a secret in common"
                seen[secret] = path.name
    if len(seen) < 10:
        yield f"secrets.sh: {len(seen)} secrets were found; they are looked for in the wrong place"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    subprocess.run(["sh", "secrets.sh"], check=True)
    if before != {path.name: path.read_bytes() for path in folder.iterdir()}:
        yield "secrets.sh: a second run changes what is there"
    for name in ("a.b", "a b", "../a", "*", "coordinator", "A", "w1", "worker-with-a-long-one"):
        if subprocess.run(["sh", "secrets.sh", name], stderr=subprocess.DEVNULL).returncode == 0:
            yield f"secrets.sh: takes {name!r} for the name of a worker"


def compose():
    (whole,) = documents(pathlib.Path("compose.yaml"))
    for name, service in sorted(whole["services"].items()):
        image = service.get("image")
        tag = image.rpartition(":")[2] if image and ":" in image else None
        if image and tag in (None, "latest") and "build" not in service:
            yield f"compose.yaml: {name} takes whatever {image} is today"
        # A one-time job needs no health check and no restart policy.
        once = any(
            other.get("depends_on", {}).get(name, {}).get("condition") == "service_completed_successfully"
            for other in whole["services"].values()
            if isinstance(other.get("depends_on"), dict)
        )
        if once == ("healthcheck" in service) or once == ("restart" in service):
            yield f"compose.yaml: {name} has a health check and is restarted, or is done once"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith(".") and not at(source).exists():
                yield f"compose.yaml: {name} mounts {source}, which is not there"
        for file in service.get("env_file", []):
            if not at(file).is_file():
                yield f"compose.yaml: deploy/secrets.sh makes no {file} for {name}"
        for variable, value in (service.get("environment") or {}).items():
            if re.search("PASSWORD|SECRET|TOKEN|KEY", variable):
                yield f"compose.yaml: {name} has {variable} in the open: {value}"
    mounted = {v.split(":")[0] for v in whole["services"]["prometheus"]["volumes"]}
    (collected,) = documents(pathlib.Path("prometheus/prometheus.yml"))
    for file in ["prometheus.yml", *collected["rule_files"]]:
        if f"./prometheus/{file}" not in mounted:
            yield f"compose.yaml: Prometheus is not given {file}"
    (generated,) = documents(pathlib.Path("prometheus/kustomization.yaml"))
    given = {file for generator in generated["configMapGenerator"] for file in generator["files"]}
    missing = {"prometheus.yml", *collected["rule_files"]} - given
    yield from (f"prometheus/kustomization.yaml: the cluster is not given {file}" for file in sorted(missing))


def main():
    # The further checks rely on valid shapes.
    faults = list(shaped())
    if not faults:
        faults = [*prometheus(), *kustomizations(pathlib.Path("kubernetes")), *scaling(), *compose(), *secrets()]
    sys.exit("\n".join(faults) or None)


main()
