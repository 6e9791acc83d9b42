import { type EventRecord, eventRecord } from '@constancia/events';
import { currentTraceparent } from '@constancia/telemetry';
import type { ClaimedRow, Failure, Seal } from './sealing-work.ts';

/** An event of the sealing run about a piece of work. */
export function sealEvent(
  row: ClaimedRow,
  type: `seal.${'signature' | 'envelope'}.${'completed' | 'failed'}`,
  payload: Record<string, unknown>,
  occurredAt = new Date(),
): EventRecord {
  const traceparent = currentTraceparent() ?? row.traceparent;
  return eventRecord({ tenantId: row.tenant_id, module: 'seal', type, payload, occurredAt, traceparent });
}

/** external_ref and metadata, as events have them. */
export const ownReference = ({ external_ref, metadata }: ClaimedRow) => ({ external_ref, metadata });

/** What every event of a sealed document states about it, exactly as published. */
export function proofMembers(seal: Seal) {
  return {
    document_sha256: seal.sha256.toString('hex'),
    kms_key_arn: seal.kmsKeyArn,
    signature: seal.signature.toString('hex'),
    signed_at: seal.signedAt.toISOString(),
  };
}

/** What every event of a failure states: what GET shows of it. */
export function failureMembers(row: ClaimedRow, { code, reason, refund }: Failure) {
  return {
    failure_code: code,
    failure_reason: reason,
    credits_refunded: refund ? row.credits_debited : 0,
  };
}
