import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = "whsec_YOUR_SECRET";
const PORT = 8080;

function isGenuine(signature, body) {
  const parts = signature.split(",").map((part) => part.split("="));
  const [, sent] = parts.find(([name]) => name === "t") ?? [];
  const wanted = createHmac("sha256", SECRET).update(`${sent}.`).update(body).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(sent)) < 300;
  const fits = ([name, value]) => {
    const got = Buffer.from(value ?? "", "hex");
    return name === "v1" && got.length === wanted.length && timingSafeEqual(got, wanted);
  };
  return isRecent && parts.some(fits);
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const genuine = isGenuine(request.headers["x-vivid-signature"] ?? "", Buffer.concat(parts));
  response.writeHead(genuine ? 204 : 401).end();
}).listen(PORT);
