import type { FunctionCall } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import type { Database, Tx } from '@constancia/persistence';
import { PersonalData, type SubjectKey } from '@constancia/personal-data';
import { testKms } from '@constancia/testing/test-kms';
import { attachToCase, type CaseAttachment } from './attach-to-case.ts';
import { type CaseContext, type CaseContextRow, contextOf } from './case-context.ts';
import type { CaseKey, NoticedScreening } from '../case-records/noticed-screening.ts';

/** A screening that asks for a person: of a subject nobody else has, by default. */
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
export async function attached(
  database: Database,
  tenantId: string,
  facts: Partial<NoticedScreening> = {},
): Promise<CaseAttachment> {
  const screening = noticedScreening(facts);
  const personal = await personalData(database);
  const keyring = await personal.tenant(tenantId);
  return database.tenant(tenantId, async (tx) => {
    const key = await personal.ofRef(tx, keyring, tenantId, screening.subjectRef);
    const attachment = attachToCase(tenantId, await caseContext(tx, tenantId, screening, key), screening, {
      key,
      keyring,
    });
    await callFunction(tx, tenantId, attachment.call);
    return attachment;
  });
}

/** What a screening of this subject is decided on, its case opened. */
export async function readContext(database: Database, tenantId: string, key: CaseKey): Promise<CaseContext> {
  const personal = await personalData(database);
  const keyring = await personal.tenant(tenantId);
  return database.tenant(tenantId, async (tx) =>
    caseContext(tx, tenantId, key, await personal.ofRef(tx, keyring, tenantId, key.subjectRef)),
  );
}

/** The keys of the compliance schema, as the app that this process runs has them. */
export async function personalData(database: Database): Promise<PersonalData> {
  const { url } = await testKms();
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: url });
  return new PersonalData({ schema: 'compliance', database, dataKeys });
}

/** Reads what a screening of this subject needs to know of cases. `subjectKey`: for a case that is sealed. */
export async function caseContext(
  tx: Tx,
  tenantId: string,
  key: CaseKey,
  subjectKey: SubjectKey | null = null,
): Promise<CaseContext> {
  const [row] = await tx.query<CaseContextRow>(`select * from compliance.case_context_v2($1, $2, $3, $4)`, [
    tenantId,
    key.subjectRef,
    key.subjectType,
    key.validationCode,
  ]);
  return contextOf(row, subjectKey);
}

/** Calls a function of the schema in a transaction, as a unit of charged work would. */
export async function callFunction(tx: Tx, tenantId: string, call: FunctionCall): Promise<void> {
  if (!/^[a-z_]+$/.test(call.function)) throw new Error(`no function ${call.function}`);
  await tx.query(`select compliance.${call.function}($1, $2)`, [tenantId, JSON.stringify(call.args)]);
}
