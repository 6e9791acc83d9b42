"""Proves a sealed document offline."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from cryptography.x509 import load_pem_x509_certificate


@dataclass(frozen=True)
class SealedDocument:
    """Whether the signature holds, and the file's SHA-256 in hex (as in X-Document-SHA256)."""

    valid: bool
    sha256: str


def verify_sealed_document(*, pdf: bytes, signature_hex: str, public_key_pem: str) -> SealedDocument:
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2) over the file's bytes. Raises TypeError when the key is no RSA key.

    pdf: the file, byte for byte as downloaded.
    signature_hex: header X-Signature.
    public_key_pem: the public key, or the certificate, of the signing key as PEM
    (GET {signing_url}/keys/{fingerprint}.pem or .crt).
    """
    key = _public_key(public_key_pem)
    sha256 = hashlib.sha256(pdf).hexdigest()
    if not re.fullmatch("([0-9a-fA-F]{2})+", signature_hex):
        return SealedDocument(False, sha256)
    try:
        key.verify(bytes.fromhex(signature_hex), pdf, PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return SealedDocument(False, sha256)
    return SealedDocument(True, sha256)


def _public_key(pem: str) -> RSAPublicKey:
    data = pem.encode()
    certificate = "-----BEGIN CERTIFICATE-----" in pem
    key: object = load_pem_x509_certificate(data).public_key() if certificate else load_pem_public_key(data)
    if not isinstance(key, RSAPublicKey):
        raise TypeError("documents are sealed with an RSA key")
    return key
