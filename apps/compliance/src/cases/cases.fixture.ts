import type { FunctionCall } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import { attachToCase, type CaseAttachment } from './attach-to-case.ts';
import { type CaseContext, type CaseContextRow, contextOf } from './case-context.ts';
import type { CaseKey, NoticedScreening } from './noticed-screening.ts';

/** A screening that asks for a person: of a subject nobody else has, unless told. */
export function noticedScreening(facts: Partial<NoticedScreening> = {}): NoticedScreening {
  return {
    subjectRef: `subject-${uuidv7()}`,
    subjectType: 'natural',
    validationCode: 'default',
    validationVersion: 1,
    screeningId: uuidv7(),
    trigger: 'api',
    actor: 'live_abcd',
    decision: 'review',
    score: 50,
    rulesFired: ['SARLAFT-PEP-001'],
    listHits: ['PEP'],
    listVersions: { PEP: '2026-11-01' },
    subject: {
      full_name: 'Rosa Ejemplo Prueba',
      document_type: 'CC',
      document_number: '1000000001',
      country_code: 'CO',
    },
    hits: [
      {
        list: 'PEP',
        entry_id: 'pep-1',
        entry_hash: 'a'.repeat(64),
        subject_hash: 'b'.repeat(64),
        name: 'Rosa Ejemplo',
        matched_name: 'Rosa Ejemplo',
        score: 0.9,
      },
    ],
    at: new Date(),
    ...facts,
  };
}

/** Opens a case for a screening, or attaches it, as the unit of work of a screening does. */
export function attached(
  database: Database,
  tenantId: string,
  facts: Partial<NoticedScreening> = {},
): Promise<CaseAttachment> {
  const screening = noticedScreening(facts);
  return database.tenant(tenantId, async (tx) => {
    const attachment = attachToCase(tenantId, await caseContext(tx, tenantId, screening), screening);
    await callFunction(tx, tenantId, attachment.call);
    return attachment;
  });
}

/** Reads what a screening of this subject needs to know of cases. */
export async function caseContext(tx: Tx, tenantId: string, key: CaseKey): Promise<CaseContext> {
  const [row] = await tx.query<CaseContextRow>(`select * from compliance.case_context($1, $2, $3, $4)`, [
    tenantId,
    key.subjectRef,
    key.subjectType,
    key.validationCode,
  ]);
  return contextOf(row);
}

/** Calls a function of the schema in a transaction, as a unit of charged work would. */
export async function callFunction(tx: Tx, tenantId: string, call: FunctionCall): Promise<void> {
  if (!/^[a-z_]+$/.test(call.function)) throw new Error(`no function ${call.function}`);
  await tx.query(`select compliance.${call.function}($1, $2)`, [tenantId, JSON.stringify(call.args)]);
}
