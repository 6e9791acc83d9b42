import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { currentTraceparent } from '@constancia/telemetry';
import type { ClaimedRequest, Seal } from './sealing-requests.ts';

/** seal.signature.completed, exactly as published. */
export function completedEvent(request: ClaimedRequest, seal: Seal): EventRecord {
  return eventOf(request, 'seal.signature.completed', seal.signedAt, {
    ...subjectOf(request),
    document_sha256: seal.sha256.toString('hex'),
    kms_key_arn: seal.kmsKeyArn,
    signature: seal.signature.toString('hex'),
    signed_at: seal.signedAt.toISOString(),
  });
}

/** seal.signature.failed: what GET /v1/signatures/{id} shows of a failed request. */
export function failedEvent(
  request: ClaimedRequest,
  failure: { code: string; reason: string; refund: boolean },
): EventRecord {
  return eventOf(request, 'seal.signature.failed', new Date(), {
    ...subjectOf(request),
    failure_code: failure.code,
    failure_reason: failure.reason,
    credits_refunded: failure.refund ? request.credits_debited : 0,
  });
}

function subjectOf(request: ClaimedRequest) {
  return {
    request_id: typeId('sig', request.id),
    template_id: typeId('tpl', request.template_id),
    subject_ref: request.subject_ref,
  };
}

function eventOf(
  request: ClaimedRequest,
  type: string,
  occurredAt: Date,
  payload: Record<string, unknown>,
): EventRecord {
  const traceparent = currentTraceparent() ?? request.traceparent;
  return eventRecord({ tenantId: request.tenant_id, module: 'seal', type, payload, occurredAt, traceparent });
}
