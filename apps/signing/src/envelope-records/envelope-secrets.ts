import { type EnvelopeEndReason, type EnvelopeWords, SIGNING_CONTEXT } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import {
  type NewSubjectKey,
  type PersonalData,
  type SubjectKey,
  SubjectKeyRow,
  type TenantKeyring,
} from '@constancia/personal-data';
import type { Envelope } from './envelope.entity.ts';
import type { EnvelopeColumns, EnvelopeKey, EnvelopeRow, SealedEnvelope } from './envelope-rows.ts';

/** A row as it is stored, with its key. */
export type StoredEnvelope = Envelope & { envelope_key: Buffer | null };

/** SQL of the key of a row `e` of envelope. */
export const ENVELOPE_KEY = `(select k.wrapped_key from signing.subject_key k
  where k.tenant_id = e.tenant_id and k.id = e.id) as envelope_key`;

/** What envelopes of a tenant are opened with, and whether they are written sealed. */
export interface TenantSealing {
  keyring: TenantKeyring;
  isSealed: boolean;
}

/** Await it before a transaction is opened. */
export async function tenantSealing(personal: PersonalData, tenantId: string): Promise<TenantSealing> {
  const [keyring, isSealed] = await Promise.all([personal.tenant(tenantId), personal.isSealedCached()]);
  return { keyring, isSealed };
}

/** A row with its sealed data opened. */
export function openEnvelope({ keyring, isSealed }: TenantSealing, stored: StoredEnvelope): EnvelopeRow {
  const { sealed_words, sealed_end_reason, sealed_values: _, envelope_key, ...row } = stored;
  const key = keyOf(keyring, row.id, envelope_key, isSealed);
  return {
    ...row,
    ...(key && sealed_words && openWords(key.key, row.id, sealed_words)),
    ...(key && sealed_end_reason && openEndReason(key.key, row.id, sealed_end_reason)),
    key,
  };
}

/** A new key when there is none yet: `writeKey` stores it. */
function keyOf(keyring: TenantKeyring, id: string, wrapped: Buffer | null, isSealed: boolean): EnvelopeRow['key'] {
  if (wrapped) return { key: keyring.subject(id, wrapped), wrapped: null };
  return isSealed ? keyring.newSubject(id) : null;
}

export function openWords(key: SubjectKey, id: string, sealed: Buffer): EnvelopeWords {
  return key.open<EnvelopeWords>(SIGNING_CONTEXT.words(id), sealed);
}

function openEndReason(
  key: SubjectKey,
  id: string,
  sealed: Buffer,
): Pick<EnvelopeRow, 'end_reason' | 'end_reason_salt'> {
  const { reason, salt } = key.open<EnvelopeEndReason>(SIGNING_CONTEXT.endReason(id), sealed);
  return { end_reason: reason, end_reason_salt: salt === null ? null : Buffer.from(salt, 'hex') };
}

type Words = Pick<EnvelopeRow, 'id' | 'subject' | 'message'>;

/** The columns of the sender's words, and the key of an envelope that has any. */
export function sealWords(
  key: SubjectKey,
  { id, subject, message }: Words,
): Pick<EnvelopeRow, 'subject' | 'message'> & Pick<SealedEnvelope, 'sealed_words'> {
  const isEmpty = subject === null && message === null;
  const words: EnvelopeWords = { subject, message };
  return { subject: null, message: null, sealed_words: isEmpty ? null : key.seal(SIGNING_CONTEXT.words(id), words) };
}

/** Columns of a change, with the reason for voiding sealed when the envelope is. */
export function sealedColumns({ id, key }: EnvelopeRow, columns: EnvelopeColumns): Record<string, unknown> {
  const { end_reason, end_reason_salt, ...others } = columns;
  if (!key || typeof end_reason !== 'string') return columns;
  const sealed: EnvelopeEndReason = { reason: end_reason, salt: end_reason_salt?.toString('hex') ?? null };
  return { ...others, sealed_end_reason: key.key.seal(SIGNING_CONTEXT.endReason(id), sealed) };
}

/** Writes a key that is new. Nothing for one that is written already. */
export async function writeKey(tx: Tx, tenantId: string, { key, wrapped }: NewSubjectKey | EnvelopeKey): Promise<void> {
  if (wrapped === null) return;
  await tx.manager.insert(SubjectKeyRow, { tenant_id: tenantId, id: key.id, wrapped_key: wrapped });
}
