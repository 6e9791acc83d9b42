"""A tenant's first hour with a deployment, run by tools/e2e/sdk-python.full.e2e.spec.ts: sign-up, a screening, a sealed document,
and the deliveries about both, each verified. Prints what came of it as JSON."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Dict

from constancia import ApiProblem, ComplianceClient, Event, PlatformClient, SigningClient
from constancia import iterate, verify_sealed_document, verify_service_signature, verify_standard_webhook
from constancia.compliance import CreateValidationBody, ScreeningBody, ScreeningBodyPayload, SeedDefaultsBody
from constancia.events import ScreeningCompleted, SealSignatureCompleted
from constancia.platform import SignUpBody, WebhookEndpointBody
from constancia.signing import CreateSignatureBody

events: Dict[str, Event] = {}
secret = ""


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verify_standard_webhook(body, self.headers, secret)
        verify_service_signature(body, self.headers["X-Service-Signature"], secret)
        events[event.event_type] = event
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def _await(event_type: str) -> Event:
    deadline = time.monotonic() + 30
    while event_type not in events:
        if time.monotonic() > deadline:
            sys.exit(f"no verified {event_type} within 30 s")
        time.sleep(0.1)
    return events[event_type]


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
hook = f"http://127.0.0.1:{receiver.server_port}/"

owner = SignUpBody(
    plan="sandbox", slug=f"py-{uuid.uuid4().hex[:12]}", display_name="Cooperativa", owner_email="owner@canary.example"
)
with PlatformClient(os.environ["BASE_URL"]) as public:
    tenant = public.sign_up(owner)
secret, key = tenant.webhook_secret, tenant.api_key

with PlatformClient(os.environ["BASE_URL"], key) as platform:
    for module in ("compliance", "seal"):
        platform.put_webhook_endpoint(tenant.tenant_id, module, WebhookEndpointBody(url=hook))

with ComplianceClient(os.environ["COMPLIANCE_URL"], key) as compliance:
    draft = compliance.create_validation(CreateValidationBody(code="default"))
    compliance.seed_default_rules(SeedDefaultsBody(validation_id=draft.id, subject_type="both"))
    compliance.publish_validation(draft.id)
    subject = ScreeningBodyPayload(full_name="Ana Gómez", document_type="CC", document_number="1032456789", amount=0.1)
    body = ScreeningBody(subject_ref="customer-417", subject_type="natural", payload=subject)
    repeatable = str(uuid.uuid4())
    for attempt in range(60):
        try:
            screening = compliance.create_screening(body, idempotency_key=repeatable)
            break
        except ApiProblem as problem:
            if problem.status != 503:
                raise
            time.sleep(0.5)  # the lists are still being loaded
    assert compliance.create_screening(body, idempotency_key=repeatable) == screening
    assert compliance.get_screening(screening.id).payload["amount"] == 0.1
    assert [one.id for one in iterate(compliance.list_screenings, limit=1)] == [screening.id]
    completed = _await("screening.completed")
    assert isinstance(completed, ScreeningCompleted) and completed.payload.screening_id == screening.id

with SigningClient(os.environ["SIGNING_URL"], key) as signing:
    template = signing.upload_template(Path(os.environ["PDF"]).read_bytes(), code="loan")
    request = signing.create_signature(CreateSignatureBody(template_id=template.id, subject_ref="loan-417", merge_data={}))
    sealed = _await("seal.signature.completed")
    assert isinstance(sealed, SealSignatureCompleted) and sealed.payload.request_id == request.id
    document = signing.download_signed_document(request.id)
    [signing_key] = signing.list_signing_keys().data
    proof = verify_sealed_document(
        pdf=document.content,
        signature_hex=document.headers["X-Signature"],
        public_key_pem=signing_key.certificate_pem or signing_key.public_key_pem,
    )
    assert proof.sha256 == document.headers["X-Document-SHA256"] == sealed.payload.document_sha256
    try:
        signing.get_signature("sig_00000000000000000000000000")
    except ApiProblem as problem:
        missing = problem.slug

print(json.dumps({"api_key": key, "decision": screening.decision, "proved": proof.valid, "missing": missing}))
