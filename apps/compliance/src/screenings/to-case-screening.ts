import { ALL_LIST_CODES } from '@constancia/reference-data';
import type { SubjectPayload } from '@constancia/rule-graph';
import type { CaseHit, CaseSubject, NoticedScreening } from '../case-records/noticed-screening.ts';
import type { RunnableValidation } from '../validations/compiled-validations.ts';
import type { Assessment, PersonHit } from './assess.ts';
import { comparedHash, type Entries, entryHash } from './dismissals.ts';
import type { ScreeningOrder } from './screening-order.ts';

interface Decided {
  id: string;
  at: Date;
  order: ScreeningOrder;
  validation: RunnableValidation;
  assessment: Assessment;
  entries: Entries;
}

/** A screening that was not approved, as a case takes it. */
export function toCaseScreening({ id, at, order, validation, assessment, entries }: Decided): NoticedScreening {
  const { outcome, counting } = assessment;
  // What stands behind a subject concerns it: a case is as urgent as the worst hit of all of them.
  const lists = new Set([...outcome.list_hits, ...counting.map(({ hit }) => hit.list)]);
  return {
    subjectRef: order.subjectRef,
    subjectType: order.subjectType,
    validationCode: validation.code,
    screeningId: id,
    validationVersion: validation.version,
    requestId: order.requestId ?? null,
    trigger: order.trigger,
    actor: order.actor,
    by: order.by,
    decision: outcome.decision === 'reject' ? 'reject' : 'review',
    score: outcome.score,
    rulesFired: [...new Set(outcome.findings.map(({ rule_code }) => rule_code))],
    listHits: ALL_LIST_CODES.filter((list) => lists.has(list)),
    listVersions: outcome.list_versions,
    subject: subjectOf(order.payload),
    hits: counting.map((found) => caseHit(found, order.subjectType, entries)),
    at,
  };
}

const SUBJECT_MEMBERS = [
  'full_name',
  'birth_date',
  'document_type',
  'document_number',
  'country_code',
  'amount',
  'currency',
] as const satisfies (keyof CaseSubject)[];

function subjectOf(payload: SubjectPayload): CaseSubject {
  return Object.fromEntries(
    SUBJECT_MEMBERS.flatMap((member) => (payload[member] === undefined ? [] : [[member, payload[member]]])),
  );
}

function caseHit({ hit, party, person }: PersonHit, subjectType: string, entries: Entries): CaseHit {
  return {
    list: hit.list,
    entry_id: hit.entryId,
    entry_hash: entryHash(entries, hit),
    subject_hash: comparedHash(person, party, subjectType),
    name: hit.name,
    matched_name: hit.matchedName,
    score: hit.score,
    ...(party !== null && { party }),
  };
}
