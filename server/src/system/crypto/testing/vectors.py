"""Test vectors of decision 23, made with pyca/cryptography and hmac, without code of this project.

python3 server/src/system/crypto/testing/vectors.py > server/src/system/crypto/testing/vectors.json
"""

import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SECRETS = ["the sealing secret of the vectors", "geheim-\u00e9\u4e2d", "x" * 64]


def key(secret: str, purpose: str) -> bytes:
    return HKDF(hashes.SHA256(), length=32, salt=b"portico", info=purpose.encode()).derive(secret.encode())


def key_id(of: bytes) -> bytes:
    return hashlib.sha256(b"key id" + of).digest()[:4]


def text(of: bytes) -> str:
    return base64.urlsafe_b64encode(of).decode().rstrip("=")


def box(secret: str, purpose: str, nonce: bytes, plain: bytes, context: str) -> bytes:
    made = key(secret, purpose)
    head = b"\x01" + key_id(made) + nonce
    return head + AESGCM(made).encrypt(nonce, plain, head + context.encode())


def bound(secret: str, sealed_box: bytes, number: int) -> bytes:
    block = sealed_box[5:13] + number.to_bytes(8, "big")
    cipher = Cipher(algorithms.AES(key(secret, "ledger-rows")), modes.ECB()).encryptor()
    return cipher.update(block) + cipher.finalize()


def link(secret: str, world: str, name: str) -> str:
    made = key(secret, "hosted-links")
    mac = hmac.new(made, f"{world}/{name}".encode(), hashlib.sha256).digest()
    return f"{name}.{text(key_id(made) + mac)}"


keys, boxes, numbers, links = [], [], [], []
for at, secret in enumerate(SECRETS):
    for purpose in ["cursors", "webhook-secrets", "ledger-cursors", "ledger-rows"]:
        made = key(secret, purpose)
        keys.append({"secret": secret, "purpose": purpose, "id": key_id(made).hex(), "bytes": made.hex()})
    for length, context in [(0, ""), (1, "cursor x v1"), (32, "a context \u00e9\u4e2d"), (300, "we_0123456789")]:
        nonce = hashlib.sha256(f"nonce {at} {length}".encode()).digest()[:12]
        plain = hashlib.shake_256(f"plain {at} {length}".encode()).digest(length)
        sealed = box(secret, "cursors", nonce, plain, context)
        boxes.append({"secret": secret, "context": context, "plain": plain.hex(), "sealed": sealed.hex()})
    sealed_box = box(secret, "ledger-cursors", hashlib.sha256(f"beside {at}".encode()).digest()[:12], bytes(32), "places")
    for number in [0, 1, 2**32 - 1, 2**32, 5_000_000_000, 2**53 - 1]:
        numbers.append(
            {"secret": secret, "box": text(sealed_box), "number": number, "sealed": text(bound(secret, sealed_box, number))}
        )
    for world in ["test", "live"]:
        name = "is_" + f"0Vector{at}".ljust(24, "0")
        links.append({"secret": secret, "world": world, "id": name, "link": link(secret, world, name)})

print(json.dumps({"keys": keys, "boxes": boxes, "numbers": numbers, "links": links}, indent=2, ensure_ascii=False))
