import type { Tx } from '@constancia/persistence';
import type { RowSealing, SealRows } from '@constancia/personal-data';
import { sealCase, type StoredCase } from '../case-records/case-secrets.ts';
import { sealListVersionsById } from '../lists/list-contents.ts';
import { type ScreeningSecrets, sealScreening } from '../screenings/sealed-screening.ts';

type ClearScreening = ScreeningSecrets & { id: string; subject_ref: string };

/** Seals the screenings of these subjects that the release before wrote in the clear. */
export async function sealScreenings(tx: Tx, sealing: RowSealing, refs: readonly string[]): Promise<void> {
  const rows = await tx.query<ClearScreening>(
    `select id, subject_ref, facts, dismissed, result from compliance.screening
      where tenant_id = $1 and subject_ref = any ($2) and sealed_result is null`,
    [sealing.tenantId, refs],
  );
  await sealThese(tx, sealing, rows);
}

/** The same by the ids of rows. */
export async function sealScreeningsById(tx: Tx, sealing: RowSealing, ids: readonly string[]): Promise<void> {
  const rows = await tx.query<ClearScreening>(
    `select id, subject_ref, facts, dismissed, result from compliance.screening
      where tenant_id = $1 and id = any ($2) and sealed_result is null`,
    [sealing.tenantId, ids],
  );
  await sealThese(tx, sealing, rows);
}

async function sealThese(tx: Tx, { personal, keyring, tenantId }: RowSealing, rows: ClearScreening[]): Promise<void> {
  for (const { id, subject_ref, ...secrets } of rows) {
    const key = await personal.ofRef(tx, keyring, tenantId, subject_ref);
    const sealed = sealScreening({ keyring, key }, id, secrets);
    await tx.query('select compliance.seal_screening($1, $2, $3, $4, $5, $6, $7)', [
      tenantId,
      id,
      key.id,
      sealed.sealed_payload,
      sealed.sealed_facts,
      sealed.sealed_result,
      sealed.monitored_payload,
    ]);
  }
}

/** Seals the cases of these subjects that the release before wrote in the clear. */
export async function sealCases(tx: Tx, sealing: RowSealing, refs: readonly string[]): Promise<void> {
  await sealCasesWhere(tx, sealing, 'subject_ref = any ($2)', refs);
}

/** The same by the ids of rows. */
export async function sealCasesById(tx: Tx, sealing: RowSealing, ids: readonly string[]): Promise<void> {
  await sealCasesWhere(tx, sealing, 'id = any ($2)', ids);
}

async function sealCasesWhere(
  tx: Tx,
  { personal, keyring, tenantId }: RowSealing,
  condition: string,
  values: readonly string[],
): Promise<void> {
  const rows = await tx.query<StoredCase>(
    `select * from compliance.review_case where tenant_id = $1 and ${condition} and sealed is null order by id for update`,
    [tenantId, values],
  );
  for (const row of rows) {
    const key = await personal.ofRef(tx, keyring, tenantId, row.subject_ref);
    const columns = sealCase(key, row.id, row);
    await tx.query(
      `update compliance.review_case
          set subject_key_id = $3, sealed = $4, subject = '{}', hits = '[]', proposal = $5, ros_draft = $6,
              decision_reason = null, escalation_reason = null
        where tenant_id = $1 and id = $2`,
      [tenantId, row.id, columns.subject_key_id, columns.sealed, columns.proposal && '{}', columns.ros_draft && '{}'],
    );
  }
}

/** The tables that hold personal data, for the sealing sweep. */
export const SEALED_TABLES: Readonly<Record<string, SealRows>> = {
  screening: sealScreeningsById,
  review_case: sealCasesById,
  list_version: sealListVersionsById,
};
