import type { Tx } from '@constancia/persistence';
import { sealedColumns, writeKey } from './envelope-secrets.ts';
import { sealedChange } from './signer-secrets.ts';
import type { EnvelopeColumns, EnvelopeRow, SignerColumns, SignerRow, SealedSigner } from './envelope-rows.ts';

const JSON_COLUMNS = new Set(['field_values', 'metadata']);

/** Writes columns of an envelope whose row is held; answers it as it is then. */
export async function updateEnvelope(tx: Tx, envelope: EnvelopeRow, columns: EnvelopeColumns): Promise<EnvelopeRow> {
  const changed = { ...columns, updated_at: new Date() };
  if (envelope.key && typeof columns.end_reason === 'string') await writeKey(tx, envelope.tenant_id, envelope.key);
  await updateStored(tx, 'envelope', envelope.id, sealedColumns(envelope, changed));
  return { ...envelope, ...changed };
}

/** Makes the seal of an envelope due at once: by the store's clock, which workers claim by; a process's own may be ahead of it. */
export async function makeSealDue(tx: Tx, { id }: EnvelopeRow): Promise<void> {
  await tx.query('update signing.envelope set retry_at = now() where id = $1', [id]);
}

/** Writes columns of a signer whose envelope's row is held, sealed if the row is; answers it as it is then. */
export async function updateSigner(
  tx: Tx,
  signer: SignerRow,
  columns: SignerColumns & Partial<SealedSigner>,
): Promise<SignerRow> {
  const stored = signer.key ? sealedChange(signer.key, signer, columns) : columns;
  await updateStored(tx, 'envelope_signer', signer.id, stored);
  return { ...signer, ...columns };
}

/** Writes columns as they are given. */
export async function updateStored(
  tx: Tx,
  table: 'envelope' | 'envelope_signer',
  id: string,
  columns: object,
): Promise<void> {
  const entries = Object.entries(columns) as [string, unknown][];
  const set = entries.map(([name], at) => `${name} = $${at + 2}`).join(', ');
  const values = entries.map(([name, value]) => (JSON_COLUMNS.has(name) ? JSON.stringify(value) : value));
  await tx.query(`update signing.${table} set ${set} where id = $1`, [id, ...values]);
}
