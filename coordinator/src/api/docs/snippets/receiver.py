import hashlib
import hmac
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = "whsec_YOUR_SECRET"
PORT = 8080


def is_genuine(signature: str, body: bytes) -> bool:
    parts = [part.partition("=") for part in signature.split(",")]
    sent = next((value for name, _, value in parts if name == "t"), "")
    wanted = hmac.new(SECRET.encode(), sent.encode() + b"." + body, hashlib.sha256).hexdigest()
    is_recent = sent.isdecimal() and abs(time.time() - int(sent)) < 300
    return is_recent and any(
        hmac.compare_digest(value.encode(), wanted.encode()) for name, _, value in parts if name == "v1"
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers.get("X-Vivid-Signature", ""), body)
        self.send_response(204 if genuine else 401)
        self.end_headers()


HTTPServer(("", PORT), Receiver).serve_forever()
