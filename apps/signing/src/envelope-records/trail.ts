import { randomBytes } from 'node:crypto';
import type { FunctionCall } from '@constancia/credit-ledger';
import { canonicalJson, typeId } from '@constancia/kernel';
import type { ChainedEvent, Tx } from '@constancia/persistence';
import { MoreThan } from 'typeorm';
import { EnvelopeEvent } from './envelope-event.entity.ts';
import type { SignerRow } from './envelope-rows.ts';

/** Everything that a trail records. signer.viewed is what earlier releases wrote instead of signer.link_opened. */
export const TRAIL_TYPES = [
  'envelope.sent', 'signer.notified', 'signer.viewed', 'signer.link_opened', 'signer.document_shown', 'signer.consented', 'signer.otp_sent', 'signer.otp_undelivered', 'signer.otp_failed',
  'signer.locked', 'signer.authenticated', 'signer.signed', 'signer.declined', 'signer.reminded', 'signer.token_rotated',
  'signer.not_me', 'signer.link_renewed', 'signer.identity_started', 'signer.identity_checked',
  'envelope.voided', 'envelope.expired', 'envelope.sealed', 'envelope.failed',
] as const; // prettier-ignore
export type TrailType = (typeof TRAIL_TYPES)[number];

/** An event that is about to be added. `data` holds the evidence; no code, token or access code is ever in it. */
export interface NewTrailEvent {
  tenantId: string;
  /** UUID. */
  envelopeId: string;
  type: TrailType;
  signer?: Pick<SignerRow, 'id' | 'role'>;
  ip?: string;
  userAgent?: string;
  data: Record<string, unknown>;
}

/** An event as it is shown: exactly the members that are hashed, and `hash`. */
export interface TrailEvent extends ChainedEvent {
  type: TrailType;
  at: string;
  /** TypeID. */
  signer_id: string | null;
  role: string | null;
  ip: string | null;
  user_agent: string | null;
  data: Record<string, unknown>;
}

/**
 * A part of `data` that only the tenant reads: the public trail shows the hash of every event, and without it anyone could compute the hash
 * of an event with a guessed name or address and compare.
 */
function trailSalt(): string {
  return randomBytes(SALT_BYTES).toString('hex');
}

const SALT_BYTES = 16;

/** Browsers' are shorter; a longer one is cut. */
const MOST_USER_AGENT = 512;

/** The call of commit_work, or of a statement, that adds an event. */
export function trailCall(event: Omit<NewTrailEvent, 'tenantId'>): FunctionCall {
  return {
    function: 'record_envelope_event',
    args: {
      envelope_id: event.envelopeId,
      type: event.type,
      signer_id: event.signer ? typeId('sgn', event.signer.id) : null,
      role: event.signer?.role ?? null,
      ip: event.ip ?? null,
      user_agent: event.userAgent?.slice(0, MOST_USER_AGENT).toWellFormed() ?? null,
      data: canonicalJson({ ...event.data, salt: trailSalt() }),
    },
  };
}

/** Adds an event to the trail of an envelope, in the caller's transaction. */
export async function recordEvent(tx: Tx, { tenantId, ...event }: NewTrailEvent): Promise<void> {
  await tx.query('select signing.record_envelope_event($1, $2)', [tenantId, JSON.stringify(trailCall(event).args)]);
}

/** Events of an envelope's trail, the oldest first, after a `seq`. Without a limit: the rest of it. */
export async function readTrail(
  tx: Tx,
  tenantId: string,
  envelopeId: string,
  { afterSeq = 0, limit }: { afterSeq?: number; limit?: number } = {},
): Promise<TrailEvent[]> {
  const where = { tenant_id: tenantId, envelope_id: envelopeId, seq: MoreThan(afterSeq) };
  const rows = await tx.manager.find(EnvelopeEvent, { where, order: { seq: 'ASC' }, take: limit });
  return rows.map(trailEvent);
}

/** Member by member: a column that is added later is neither published nor hashed. */
export function trailEvent(row: EnvelopeEvent): TrailEvent {
  const { seq, type, at, signer_id, role, ip, user_agent, data, prev_hash, hash } = row;
  return {
    seq,
    type: type as TrailType,
    at: at.toISOString(),
    signer_id,
    role,
    ip,
    user_agent,
    data: JSON.parse(data) as Record<string, unknown>,
    prev_hash,
    hash,
  };
}
