import type { Tx } from '@constancia/persistence';
import { openRecord, sealRecord } from '@constancia/kernel';

/** Whom a stored answer is about: it is sealed with the key of that person and ends with it. */
export interface AnswerOwner {
  /** UUID. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** The key of an owner; null when it was destroyed. `tx`: the transaction to read in, null when none is open. */
export type OwnerKey = (tx: Tx | null, tenantId: string, ownerId: string) => Promise<Buffer | null>;

const UUID_BYTES = 16;

const contextOf = (key: string): string => `idempotency:${key}`;

/** The bytes to store: the owner's UUID, then the sealed text. */
export function sealOwned(owner: AnswerOwner, tenantId: string, key: string, text: string): Buffer {
  const record = sealRecord(owner.key, { tenantId, subjectId: owner.id }, contextOf(key), text);
  return Buffer.concat([ownerBytes(owner.id), record]);
}

/** What sealOwned sealed; null when the owner's key was destroyed. Throws when it was altered or belongs to another row. */
export async function openOwned(
  ownerKey: OwnerKey,
  { tx, tenantId, key, body }: { tx: Tx | null; tenantId: string; key: string; body: Buffer },
): Promise<string | null> {
  const id = uuidText(body.subarray(0, UUID_BYTES));
  const plain = await ownerKey(tx, tenantId, id);
  return plain && openRecord(plain, { tenantId, subjectId: id }, contextOf(key), body.subarray(UUID_BYTES));
}

/** What the body of an owner's answers begins with. */
export const ownerBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The condition under which a row of idempotency_key holds an owner's answer; `body` null: it was erased. */
export const OWNED = 'sealed and status is null';

/** SQL that finds the answers of an owner in a module's schema. */
export function ownedAnswers(schema: string): string {
  return `create index idempotency_key_owner on ${schema}.idempotency_key (tenant_id, substring(body from 1 for ${UUID_BYTES}))
    where ${OWNED}`;
}
