// The sample programs. Each makes an image and a carousel from a text, waits for them, and saves them.

const curl = (address) => String.raw`#!/bin/sh
# Makes an image and a carousel of a text, waits, and saves them.
# Needs curl 7.76 or newer, and jq.
set -eu
vivid='${address}'
reply=$(mktemp)
trap 'rm -f "$reply"' EXIT

# Asks the API. Where it is too busy (429, 503), curl waits for as
# long as the answer says and tries again; other faults end this.
ask() {
  curl -sS --fail-with-body --retry 5 -o "$reply" \
    -H "X-API-Key: $VIVID_API_KEY" "$@" && return
  jq -r '"\(.code): \(.message)",
    (.details[]? | "  \(.field): \(.message)")' "$reply" >&2
  exit 1
}

# The Idempotency-Key makes sure that trying again pays only once.
ask "$vivid/api/generations" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: create-$(date +%s)-$$" -d '{
    "inputType": "text",
    "inputContent": "Cold rooms sleep well. Cool air helps the body fall asleep. Around 18 degrees suits most people. Open a window before bed, and choose a light blanket.",
    "outputFormats": ["instagram_post", "linkedin_carousel"],
    "carouselCounts": {"linkedin_carousel": 4}
  }'
id=$(jq -r .generation.id "$reply")

status=pending
while [ "$status" = pending ] || [ "$status" = processing ]; do
  sleep 2
  ask "$vivid/api/generations/$id"
  status=$(jq -r .generation.status "$reply")
done

jq -r '.generation.outputs[] | [.imageUrl, .formatId + (if .slideIndex == null
  then "" else "-\(.slideIndex + 1)" end) + ".png"] | @tsv' "$reply" |
while read -r url name; do
  curl -sSfL --retry 5 -o "$name" "$url"
  echo "saved $name"
done
if [ "$status" != completed ]; then
  jq -r '.generation | "\(.status): \(.errorMessage)"' "$reply" >&2
  exit 1
fi
`;

const javascript = (address) => String.raw`// Makes an image and a carousel of a text, waits, and saves them.
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const VIVID = "${address}";

// Asks the API. Where it is too busy (429, 503), this waits for as
// long as the answer says and tries again; other faults are errors.
async function ask(method, path, body, headers = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(VIVID + path, {
      method,
      headers: {
        "X-API-Key": process.env.VIVID_API_KEY,
        "Content-Type": "application/json",
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
    if ([429, 503].includes(answer.status) && tries < 5) {
      await sleep(1000 * Number(answer.headers.get("Retry-After") ?? 5));
      continue;
    }
    const said = await answer.json();
    if (answer.ok) return said;
    const faults = (said.details ?? []).map((d) => "\n  " + d.field + ": " + d.message);
    throw new Error(said.code + ": " + said.message + faults.join(""));
  }
}

// The Idempotency-Key makes sure that trying again pays only once.
let { generation } = await ask("POST", "/api/generations", {
  inputType: "text",
  inputContent: "Cold rooms sleep well. Cool air helps the body fall asleep. "
    + "Around 18 degrees suits most people. "
    + "Open a window before bed, and choose a light blanket.",
  outputFormats: ["instagram_post", "linkedin_carousel"],
  carouselCounts: { linkedin_carousel: 4 },
}, { "Idempotency-Key": randomUUID() });

while (["pending", "processing"].includes(generation.status)) {
  await sleep(2000);
  ({ generation } = await ask("GET", "/api/generations/" + generation.id));
}

for (const { formatId, slideIndex, imageUrl } of generation.outputs) {
  const image = await fetch(imageUrl);
  if (!image.ok) throw new Error("An image answered " + image.status);
  const slide = slideIndex === null ? "" : "-" + (slideIndex + 1);
  const name = formatId + slide + ".png";
  await writeFile(name, Buffer.from(await image.arrayBuffer()));
  console.log("saved " + name);
}
if (generation.status !== "completed") {
  throw new Error(generation.status + ": " + generation.errorMessage);
}
`;

const python = (address) => String.raw`# Makes an image and a carousel of a text, waits, and saves them.
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

VIVID = "${address}"


def ask(method, path, body=None, **headers):
    """Asks the API. Where it is too busy (429, 503), this waits for as
    long as the answer says and tries again; other faults end the program."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(VIVID + path, data, method=method)
    request.add_header("X-API-Key", os.environ["VIVID_API_KEY"])
    request.add_header("Content-Type", "application/json")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    for tries in range(1, 6):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in (429, 503) and tries < 5:
                time.sleep(int(error.headers.get("Retry-After", 5)))
                continue
            said = json.load(error)
            faults = [f"\n  {d['field']}: {d['message']}" for d in said.get("details", [])]
            sys.exit(f"{said['code']}: {said['message']}{''.join(faults)}")


# The Idempotency-Key makes sure that trying again pays only once.
generation = ask("POST", "/api/generations", {
    "inputType": "text",
    "inputContent": "Cold rooms sleep well. Cool air helps the body fall asleep. "
    "Around 18 degrees suits most people. "
    "Open a window before bed, and choose a light blanket.",
    "outputFormats": ["instagram_post", "linkedin_carousel"],
    "carouselCounts": {"linkedin_carousel": 4},
}, Idempotency_Key=str(uuid.uuid4()))["generation"]

while generation["status"] in ("pending", "processing"):
    time.sleep(2)
    generation = ask("GET", f"/api/generations/{generation['id']}")["generation"]

for output in generation["outputs"]:
    slide = "" if output["slideIndex"] is None else f"-{output['slideIndex'] + 1}"
    name = f"{output['formatId']}{slide}.png"
    urllib.request.urlretrieve(output["imageUrl"], name)
    print("saved", name)
if generation["status"] != "completed":
    sys.exit(f"{generation['status']}: {generation['errorMessage']}")
`;

const rust = (address) => String.raw`// Makes an image and a carousel of a text, waits, and saves them.
//
// Cargo.toml:
//   [dependencies]
//   reqwest = { version = "0.13", features = ["blocking", "json"] }
//   serde_json = "1"
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, error::Error, fs, process};

use reqwest::blocking::{Client, RequestBuilder};
use serde_json::{Value, json};

const VIVID: &str = "${address}";

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Asks the API. Where it is too busy (429, 503), this waits for as
/// long as the answer says and tries again; other faults are errors.
fn ask(request: RequestBuilder) -> Result<Value, Box<dyn Error>> {
    let key = env::var("VIVID_API_KEY").map_err(|_| "VIVID_API_KEY is not set")?;
    let request = request.header("X-API-Key", key);
    let mut tries = 1;
    loop {
        let again = request.try_clone().ok_or("the body can't be sent twice")?;
        let answer = again.send()?;
        let status = answer.status();
        if matches!(status.as_u16(), 429 | 503) && tries < 5 {
            let said = answer.headers().get("Retry-After").and_then(|s| s.to_str().ok());
            let wait = said.and_then(|s| s.parse().ok()).unwrap_or(5);
            sleep(Duration::from_secs(wait));
            tries += 1;
            continue;
        }
        let said: Value = answer.json()?;
        if status.is_success() {
            return Ok(said);
        }
        let mut fault = format!("{}: {}", text(&said["code"]), text(&said["message"]));
        for detail in said["details"].as_array().into_iter().flatten() {
            fault += &format!("\n  {}: {}", text(&detail["field"]), text(&detail["message"]));
        }
        return Err(fault.into());
    }
}

fn create() -> Result<(), Box<dyn Error>> {
    let client = Client::new();
    let body = json!({
        "inputType": "text",
        "inputContent": "Cold rooms sleep well. Cool air helps the body fall asleep. \
            Around 18 degrees suits most people. \
            Open a window before bed, and choose a light blanket.",
        "outputFormats": ["instagram_post", "linkedin_carousel"],
        "carouselCounts": {"linkedin_carousel": 4},
    });
    // The Idempotency-Key makes sure that trying again pays only once.
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let create = client.post(format!("{VIVID}/api/generations")).json(&body);
    let mut answer = ask(create.header("Idempotency-Key", format!("create-{now}")))?;
    let id = text(&answer["generation"]["id"]).to_owned();

    while matches!(text(&answer["generation"]["status"]), "pending" | "processing") {
        sleep(Duration::from_secs(2));
        answer = ask(client.get(format!("{VIVID}/api/generations/{id}")))?;
    }

    let generation = &answer["generation"];
    for output in generation["outputs"].as_array().into_iter().flatten() {
        let slide = output["slideIndex"].as_u64().map(|i| format!("-{}", i + 1));
        let name = format!("{}{}.png", text(&output["formatId"]), slide.unwrap_or_default());
        let image = client.get(text(&output["imageUrl"])).send()?.error_for_status()?;
        fs::write(&name, image.bytes()?)?;
        println!("saved {name}");
    }
    if generation["status"] != "completed" {
        let (status, why) = (&generation["status"], &generation["errorMessage"]);
        return Err(format!("{}: {}", text(status), text(why)).into());
    }
    Ok(())
}

fn main() {
    if let Err(error) = create() {
        eprintln!("{error}");
        process::exit(1);
    }
}
`;

/** Languages of the programs that make images. `run`: how to run them, as an explanation and a command. */
export const LANGUAGES = [
  { id: "curl", words: "curl", name: "create.sh", run: ["Run it with ", "VIVID_API_KEY=vd_… sh create.sh"], text: curl },
  { id: "javascript", words: "JavaScript", name: "create.mjs", run: ["Node 18 or newer, nothing else. Run it with ", "VIVID_API_KEY=vd_… node create.mjs"], text: javascript },
  { id: "python", words: "Python", name: "create.py", run: ["Python 3.8 or newer, nothing else. Run it with ", "VIVID_API_KEY=vd_… python3 create.py"], text: python },
  { id: "rust", words: "Rust", name: "src/main.rs", run: ["Run it with ", "VIVID_API_KEY=vd_… cargo run"], text: rust },
];

const verifyJavascript = String.raw`import { createHmac, timingSafeEqual } from "node:crypto";

// "header" is X-Vivid-Signature; "body" the bytes as they came.
export function isGenuine(secret, header, body) {
  // While a secret is replaced there are two "v1": of the new one and of the old one.
  const [, t, signatures] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(header) ?? [];
  if (!t || Math.abs(Date.now() / 1000 - t) > 300) return false;
  const wanted = createHmac("sha256", secret).update(t + ".").update(body).digest();
  return signatures.split(",v1=").slice(1).some((v1) => timingSafeEqual(wanted, Buffer.from(v1, "hex")));
}
`;

const verifyPython = String.raw`import hashlib
import hmac
import re
import time


def is_genuine(secret: str, header: str, body: bytes) -> bool:
    """The header is X-Vivid-Signature; the body the bytes as they came."""
    # While a secret is replaced there are two "v1": of the new one and of the old one.
    said = re.fullmatch(r"t=(\d+)((?:,v1=[0-9a-f]{64})+)", header)
    if said is None or abs(time.time() - int(said[1])) > 300:
        return False
    signed = f"{said[1]}.".encode() + body
    wanted = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(v1, wanted) for v1 in said[2].split(",v1=")[1:])
`;

/** Programs that verify deliveries. */
export const VERIFIERS = [
  { id: "javascript", words: "JavaScript", name: "verify.mjs", text: verifyJavascript },
  { id: "python", words: "Python", name: "verify.py", text: verifyPython },
];
