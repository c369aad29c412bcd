"""Runs the examples of the page /docs: docs.py BASE KEY PDF PORT...

Every command runs alone against the running service, with the key of this account in place of the key, and its ids in
place of the ids of the examples. Every receiver whose interpreter is installed gets a real delivery, and must refuse
forged ones. The service must be allowed to deliver to the ports; each receiver uses one.
"""

import hashlib
import hmac
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

base, key, pdf, *ports = sys.argv[1:]
KEY, SECRET, PORT = "vd_YOUR_KEY", "whsec_YOUR_SECRET", "8080"
# Expected errors: nothing failed in this account, and its pages don't have the versions that the examples name.
REFUSALS = {
    "cancelGeneration": "not_cancellable",
    "retryGeneration": "not_retryable",
    "editImage": "stale_instruction instruction_not_understood",
    "editImageByOutput": "stale_instruction instruction_not_understood",
    "previewPage": "stale_instruction",
    "replacePage": "stale_instruction",
    # There is no language model, so translation is unavailable.
    "localizeGeneration": "validation_failed",
    "localizeGenerationByReference": "validation_failed",
    # The account has none of the deliveries in these examples.
    "redeliver": "delivery_not_found",
    "redeliverOfGeneration": "delivery_not_found",
}
# The file name and the start command of each receiver, by language.
RUNS = {
    "Python": ("receiver.py", [sys.executable]),
    "Node.js": ("receiver.mjs", ["node"]),
    "Go": ("receiver.go", ["go", "run"]),
    "PHP": ("receiver.php", ["php", "-S"]),
}


def ask(method, path, body=None, headers=None):
    """Returns the status and the bytes of a response."""
    url = path if path.startswith("http") else base + path
    sent = {"X-API-Key": key, "Content-Type": "application/json"} | (headers or {})
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, sent, method=method), timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def told(method, path, body=None):
    status, answer = ask(method, path, body)
    assert status < 300, (method, path, status, answer)
    return json.loads(answer)


def until(done, what):
    for _ in range(600):
        if found := done():
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what} does not come")


def panels(part):
    """Returns the code panels of a part of the page, as (heading, code)."""
    found = re.findall(r"<figcaption>(.*?)</figcaption>.*?<code>(.*?)</code></pre>", part, re.DOTALL)
    return [(html.unescape(heading), html.unescape(re.sub(r"<[^>]+>", "", code))) for heading, code in found]


page = ask("GET", "/docs")[1].decode()
document = told("GET", "/openapi.json")


def example(schema):
    return document["components"]["schemas"][schema]["examples"][0]


def made():
    """Creates a generation, a brand kit and a subscription. Returns the real value for each value in the examples."""
    creation = told("POST", "/api/generations", example("CreationRequest"))["generation"]

    def completed():
        generation = told("GET", f"/api/generations/{creation['id']}")["generation"]
        assert generation["status"] in ("pending", "processing", "completed"), generation
        return generation["status"] == "completed" and generation

    generation = until(completed, "the generation")
    brand = told("POST", "/api/brands", example("BrandRequest"))["brand"]
    made_anew = {name: brand[name] for name in ("id", "createdAt", "updatedAt")}
    assert brand == example("Brand") | made_anew, brand
    webhook = told("POST", "/api/webhooks", example("WebhookRequest"))["webhook"]
    [shown, *_], [output, *_] = example("Generation")["outputs"], generation["outputs"]
    # The URL comes first, because it contains ids that are replaced too.
    return {
        shown["imageUrl"]: output["imageUrl"],
        example("Generation")["id"]: generation["id"],
        **{shown["id"]: output["id"] for shown, output in zip(example("Generation")["outputs"], generation["outputs"], strict=True)},
        example("Brand")["id"]: brand["id"],
        example("Webhook")["id"]: webhook["id"],
        KEY: key,
    }


def check(name, heading, command, standing, folder):
    for shown, real in standing.items():
        command = command.replace(shown, real)
    assert KEY not in command
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, capture_output=True, timeout=90)
    what = f"{name}: {heading}\n{command}\n{run.stdout.decode(errors='replace')[:2000]}{run.stderr.decode()}"
    assert run.returncode == 0, what
    if run.stdout.startswith(b"{"):
        code = json.loads(run.stdout).get("code")
        assert code is None or code in REFUSALS.get(name, ""), what


def commands():
    """Returns all commands of the page as (operation, heading, command), deletions last."""
    found = []
    for part in re.split(r'(?=<article id="|<section )', page):
        name = re.match(r'<\w+ (?:class="\w+" )?id="(\w+)"', part)
        found += [(name[1], heading, code) for heading, code in panels(part) if "curl " in code]
    return sorted(found, key=lambda one: one[0].startswith("delete"))


def forged(secret, body):
    """Returns deliveries that every receiver must refuse, as (signature, body)."""

    def sign(secret, sent, body):
        mac = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256)
        return f"t={sent},v1={mac.hexdigest()}"

    now = int(time.time())
    good = sign(secret, now, body)
    return [
        (sign("whsec_other", now, body), body),
        (sign(secret, now - 3600, body), body),
        (sign(secret, now + 3600, body), body),
        (good, body + b" "),
        (good.replace(f"t={now}", f"t={now + 1}"), body),
        (good[:-2], body),
        (good.split(",")[0], body),
        ("t=,v1=", body),
        ("nonsense", body),
        ("", body),
    ]


def receive(folder):
    """Sends a real delivery to every receiver. Returns the languages of the receivers."""
    shown = {heading.removeprefix("Receiver in "): code for heading, code in panels(page) if heading.startswith("Receiver in ")}
    assert list(shown) == list(RUNS), list(shown)
    running = {}
    try:
        for (language, (file, command)), port in zip(RUNS.items(), ports, strict=True):
            if not shutil.which(command[0]):
                continue
            webhook = told("POST", "/api/webhooks", {"url": f"http://127.0.0.1:{port}/"})["webhook"]
            program = shown[language].replace(SECRET, webhook["secret"]).replace(PORT, port)
            assert webhook["secret"] in program
            (folder / file).write_text(program)
            if language == "PHP":
                command = [*command, f"127.0.0.1:{port}"]
            process = subprocess.Popen([*command, file], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0)
            running[language] = (process, webhook, port)
        for language, (process, webhook, port) in running.items():
            until(lambda: listens(process, port), f"the receiver in {language}")
        told("POST", "/api/generations", {"inputType": "text", "inputContent": "A fox.", "outputFormats": ["quote_card"]})
        for language, (_, webhook, port) in running.items():

            def delivered():
                deliveries = told("GET", f"/api/webhooks/{webhook['id']}/deliveries")["deliveries"]
                tried = [delivery for delivery in deliveries if delivery["attempts"]]
                assert all(delivery["attempts"][0]["status"] == 204 for delivery in tried), (language, tried)
                return tried

            until(delivered, f"a delivery to the receiver in {language}")
            for signature, body in forged(webhook["secret"], b'{"id": "x"}'):
                status, _ = ask("POST", f"http://127.0.0.1:{port}/", body, {"X-Vivid-Signature": signature})
                assert status == 401, (language, signature, status)
    finally:
        for process, _, _ in running.values():
            os.killpg(process.pid, 15)
            process.wait()
    return list(running)


def listens(process, port):
    assert process.poll() is None, process.stderr.read().decode()
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", b"", timeout=5)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    languages = receive(folder)
    assert {"Python", "Node.js"} <= set(languages), languages
    standing = made()
    (folder / "logo.png").write_bytes(ask("GET", next(url for url in standing.values() if "/files/" in url))[1])
    shutil.copy(pdf, folder / "report.pdf")
    all_commands = commands()
    assert len(all_commands) > 30, len(all_commands)
    for name, heading, command in all_commands:
        check(name, heading, command, standing, folder)
    print(f"{len(all_commands)} commands of /docs work as they stand, and receivers in {', '.join(languages)}")
