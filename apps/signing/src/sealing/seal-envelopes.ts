import type { Tx } from '@constancia/persistence';
import type { RowSealing, SubjectKey } from '@constancia/personal-data';
import { updateStored } from '../envelope-records/envelope-changes.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import {
  ENVELOPE_KEY,
  openEnvelope,
  sealedColumns,
  sealWords,
  type StoredEnvelope,
  writeKey,
} from '../envelope-records/envelope-secrets.ts';
import { sealSigner } from '../envelope-records/signer-secrets.ts';

/** Seals the words of envelopes that the release before wrote. Their rows are locked: every change of an envelope locks its row. */
export async function sealEnvelopesById(
  tx: Tx,
  { keyring, tenantId }: RowSealing,
  ids: readonly string[],
): Promise<void> {
  await tx.query('select 1 from signing.envelope where tenant_id = $1 and id = any ($2) order by id for update', [
    tenantId,
    ids,
  ]);
  const rows = await tx.query<StoredEnvelope>(
    `select e.*, ${ENVELOPE_KEY} from signing.envelope e
      where e.tenant_id = $1 and e.id = any ($2) and num_nonnulls(e.subject, e.message, e.end_reason) > 0`,
    [tenantId, ids],
  );
  for (const row of rows) {
    const envelope = openEnvelope({ keyring, isSealed: true }, row);
    if (!envelope.key) continue; // there is one whenever it is written sealed
    const { subject, message, sealed_words } = sealWords(envelope.key.key, envelope);
    const { end_reason, end_reason_salt } = envelope;
    await writeKey(tx, tenantId, envelope.key);
    await updateStored(tx, 'envelope', row.id, {
      ...{ subject, message, sealed_words },
      ...sealedColumns(envelope, { end_reason, end_reason_salt }),
      ...{ end_reason: null, end_reason_salt: null },
    });
  }
}

const SIGNERS = `select s.* from signing.envelope_signer s
  where s.tenant_id = $1 and s.id = any ($2) and s.sealed_person is null and s.email <> 'erased@erased.invalid' order by s.id`;
const HELD = `select 1 from signing.envelope where tenant_id = $1 and id in (
  select envelope_id from signing.envelope_signer where tenant_id = $1 and id = any ($2)) order by id for update`;

/** The same of signers, each with a key of its own. */
export async function sealSignersById(
  tx: Tx,
  { keyring, tenantId }: RowSealing,
  ids: readonly string[],
): Promise<void> {
  await tx.query(HELD, [tenantId, ids]);
  for (const signer of await tx.query<SignerRow>(SIGNERS, [tenantId, ids])) {
    const made: { key: SubjectKey; wrapped: Buffer } = keyring.newSubject(signer.id);
    await writeKey(tx, tenantId, made);
    await updateStored(tx, 'envelope_signer', signer.id, sealSigner(keyring, made.key, signer));
  }
}
