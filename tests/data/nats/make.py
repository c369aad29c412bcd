#!/usr/bin/env python3
"""Makes an operator, an account and a user of a NATS server, as `nsc` would: JWTs signed by Ed25519 keys. Only the
user's key is kept, in its credentials. Needs the package cryptography.

The formats follow https://docs.nats.io: an nkey is the base32 of a prefix, the key and its CRC-16; the claims have
version 2.
"""

import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

HERE = pathlib.Path(__file__).parent
SEED, OPERATOR, ACCOUNT, USER = 18 << 3, 14 << 3, 0, 20 << 3


def crc16(data):
    """Returns the CRC-16/XMODEM."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc.to_bytes(2, "little")


def text(data):
    return base64.b32encode(data + crc16(data)).decode().rstrip("=")


class Key:
    def __init__(self, kind):
        self.kind, self.key = kind, Ed25519PrivateKey.generate()
        self.public = text(bytes([kind]) + self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def seed(self):
        raw = self.key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return text(bytes([SEED | self.kind >> 5, (self.kind & 31) << 3]) + raw)

    def signs(self, subject, name, nats):
        claims = {"iat": 1767225600, "iss": self.public, "name": name, "nats": nats | {"version": 2}, "sub": subject.public}
        packed = lambda part: json.dumps(part, separators=(",", ":"), sort_keys=True).encode()
        claims["jti"] = base64.b32encode(hashlib.sha256(packed(claims)).digest()).decode().rstrip("=")
        url = lambda data: base64.urlsafe_b64encode(data).decode().rstrip("=")
        body = url(packed({"typ": "JWT", "alg": "ed25519-nkey"})) + "." + url(packed(claims))
        return body + "." + url(self.key.sign(body.encode()))


operator, system, account, user = Key(OPERATOR), Key(ACCOUNT), Key(ACCOUNT), Key(USER)
free = dict.fromkeys(["subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage",
                      "streams", "consumer"], -1) | {"wildcards": True}
account_claims = {"type": "account", "limits": free}
user_claims = {"type": "user", "subs": -1, "data": -1, "payload": -1, "pub": {}, "sub": {}}
operator_jwt = operator.signs(operator, "vivid-tests", {"type": "operator"})
system_jwt = operator.signs(system, "system", {"type": "account", "limits": free | {"mem_storage": 0, "disk_storage": 0}})
account_jwt = operator.signs(account, "vivid", account_claims)
user_jwt = account.signs(user, "worker", user_claims)

(HERE / "operator.conf").write_text(
    "# Made by make.py.\n"
    f'operator: "{operator_jwt}"\nsystem_account: {system.public}\nresolver: MEMORY\n'
    f'resolver_preload: {{\n  {system.public}: "{system_jwt}"\n  {account.public}: "{account_jwt}"\n}}\n')
(HERE / "worker.creds").write_text(
    f"-----BEGIN NATS USER JWT-----\n{user_jwt}\n------END NATS USER JWT------\n\n"
    "************************* IMPORTANT *************************\n"
    "This key is for tests alone: it opens nothing else.\n\n"
    f"-----BEGIN USER NKEY SEED-----\n{user.seed()}\n------END USER NKEY SEED------\n\n"
    "*************************************************************\n")
