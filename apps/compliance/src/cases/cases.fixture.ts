import { uuidv7 } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import {
  attachToCase,
  type CaseAttachment,
  callFunction,
  caseContext,
  type NoticedScreening,
} from './attach-to-case.ts';

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
