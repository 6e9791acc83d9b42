from __future__ import annotations

import base64
import unittest

from constancia import SealedDocument, verify_sealed_document

from vectors import vectors

SEALED = vectors("sealed-document.json")
PDF = base64.b64decode(SEALED["pdf_base64"])
SIGNATURE = SEALED["signature_hex"]


class SealedDocuments(unittest.TestCase):
    def test_are_proved_by_the_key_or_its_certificate_and_the_digest_is_answered(self) -> None:
        for pem in (SEALED["public_key_pem"], SEALED["certificate_pem"]):
            answer = verify_sealed_document(pdf=PDF, signature_hex=SIGNATURE, public_key_pem=pem)
            self.assertEqual(answer, SealedDocument(valid=True, sha256=SEALED["sha256"]))

    def test_are_not_proved_when_one_bit_changed_or_by_what_is_no_signature(self) -> None:
        altered = bytes([PDF[0] ^ 1]) + PDF[1:]
        for pdf, signature in ((altered, SIGNATURE), (PDF, ""), (PDF, "zz"), (PDF, "ab"), (PDF, f"{SIGNATURE}00")):
            answer = verify_sealed_document(pdf=pdf, signature_hex=signature, public_key_pem=SEALED["public_key_pem"])
            self.assertFalse(answer.valid)

    def test_refuse_a_key_that_is_no_rsa_key(self) -> None:
        with self.assertRaises(TypeError):
            verify_sealed_document(pdf=PDF, signature_hex=SIGNATURE, public_key_pem=SEALED["ed25519_key_pem"])


if __name__ == "__main__":
    unittest.main()
