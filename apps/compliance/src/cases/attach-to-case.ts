import type { FunctionCall } from '@constancia/credit-ledger';
import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId, uuidv7 } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { isUniqueViolation, sqlState } from '@constancia/persistence';
import type { CaseContext, OpenCase } from './case-context.ts';
import { dueAt, moreUrgent, priorityOf } from '../case-records/case-priority.ts';
import { type CaseSealing, type CaseSecrets, sealCase } from '../case-records/case-secrets.ts';
import { eventArgs, type NewCaseEvent } from '../case-records/case-timeline.ts';
import { nameWords } from '../case-records/name-words.ts';
import type { CaseHit, NoticedScreening } from '../case-records/noticed-screening.ts';

/** What a screening does to the cases of its subject. */
export interface CaseAttachment {
  /** UUID. */
  caseId: string;
  opens: boolean;
  /** Belongs into the unit of work that inserts the screening, or is called in its transaction. */
  call: FunctionCall;
  /** case.opened, when a case is opened. */
  events: EventRecord[];
  /** False: the case has a ROS draft, and nothing about it may leave the house, screening.completed included. */
  emits: boolean;
}

/**
 * Decides what a screening with decision review or reject does to the cases of its subject: it opens one, or is attached to the
 * open one, which is then as urgent as the more urgent of the two. When the unit fails with `caseChanged(error)`, somebody
 * worked on the case in between: read the context again and build the unit again. `sealing` null: nothing is sealed.
 */
export function attachToCase(
  tenantId: string,
  context: CaseContext,
  screening: NoticedScreening,
  sealing: CaseSealing | null = null,
): CaseAttachment {
  const { openCase } = context;
  const caseId = openCase?.id ?? uuidv7();
  const args = openCase ? attaching(openCase, screening, sealing) : opening(caseId, screening, sealing);
  const emits = !openCase?.ros_drafted;
  return {
    caseId,
    opens: openCase === null,
    emits,
    call: { function: 'attach_to_case', args: { case_id: caseId, opens: openCase === null, ...args } },
    events: openCase ? [] : [openedEvent(tenantId, caseId, screening)],
  };
}

/**
 * Whether a unit of work failed because the case was no longer what attachToCase took it for, or the subject has another key by now: read
 * again, try again.
 */
export function caseChanged(error: unknown): boolean {
  return sqlState(error) === 'CN409' || isUniqueViolation(error, 'subject_key_in_use');
}

function opening(caseId: string, screening: NoticedScreening, sealing: CaseSealing | null): Record<string, unknown> {
  const priority = priorityOf({ ...screening, lists: screening.listHits });
  const due = dueAt(priority, screening.at).toISOString();
  return {
    expected_version: null,
    case: {
      ...screenedColumns(screening),
      subject_ref: screening.subjectRef,
      subject_type: screening.subjectType,
      validation_code: screening.validationCode,
      screening_id: screening.screeningId,
      priority,
      opened_at: screening.at.toISOString(),
      due_at: due,
      ...secretColumns(sealing, caseId, { ...NO_SECRETS, subject: screening.subject, hits: screening.hits }),
    },
    events: eventArgs(
      [
        {
          type: 'opened',
          actor: screening.actor,
          from: null,
          to: 'open',
          data: { case_id: typeId('cas', caseId), ...screeningData(screening), priority, due_at: due },
        },
      ],
      { caseId, key: sealing?.key ?? null },
    ),
  };
}

/** What waits for approval was proposed without knowing this screening: it goes back. */
function attaching(
  openCase: OpenCase,
  screening: NoticedScreening,
  sealing: CaseSealing | null,
): Record<string, unknown> {
  const own = priorityOf({ ...screening, lists: screening.listHits });
  const priority = moreUrgent(openCase.priority, own);
  const sooner = Math.min(openCase.due_at.getTime(), dueAt(own, screening.at).getTime());
  const { status } = openCase;
  const returned = status === 'pending_approval';
  const events: NewCaseEvent[] = [
    {
      type: screening.trigger === 'list_update' ? 'rescreened' : 'screening_attached',
      actor: screening.actor,
      from: status,
      to: status,
      data: screeningData(screening),
    },
  ];
  if (returned) {
    const reason = 'A further screening was attached.';
    events.push({ type: 'resolution_returned', actor: 'system', from: status, to: 'in_review', data: { reason } });
  }
  return {
    expected_version: openCase.version,
    case: {
      ...screenedColumns(screening),
      screening_decision: openCase.screening_decision === 'reject' ? 'reject' : screening.decision,
      screening_score: Math.max(openCase.screening_score, screening.score),
      rules_fired: [...new Set([...openCase.rules_fired, ...screening.rulesFired])],
      list_hits: inListOrder([...openCase.list_hits, ...screening.listHits]),
      priority,
      due_at: new Date(sooner).toISOString(),
      status: returned ? 'in_review' : status,
      ...secretColumns(sealing, openCase.id, {
        ...openCase.secrets,
        subject: screening.subject,
        hits: merged(openCase.hits, screening.hits),
        proposal: null,
      }),
    },
    events: eventArgs(events, { caseId: openCase.id, key: sealing?.key ?? null }),
  };
}

function screenedColumns(screening: NoticedScreening): Record<string, unknown> {
  return {
    validation_version: screening.validationVersion,
    last_screening_id: screening.screeningId,
    request_id: screening.requestId ?? null,
    screening_decision: screening.decision,
    screening_score: screening.score,
    rules_fired: screening.rulesFired,
    list_hits: screening.listHits,
    list_versions: screening.listVersions,
  };
}

const NO_SECRETS = { proposal: null, decision_reason: null, escalation_reason: null, ros_draft: null };

/** The columns of what is personal: sealed, or as they are. Bytes as the store reads them from JSON. */
function secretColumns(sealing: CaseSealing | null, caseId: string, secrets: CaseSecrets): Record<string, unknown> {
  if (!sealing) return { subject: secrets.subject, hits: secrets.hits, proposal: secrets.proposal };
  const { sealed, ...columns } = sealCase(sealing.key, caseId, secrets);
  const words = nameWords(sealing.keyring, secrets.subject.full_name);
  return { ...columns, sealed: `\\x${sealed.toString('hex')}`, name_words: words };
}

function screeningData(screening: NoticedScreening): Record<string, unknown> {
  return {
    screening_id: typeId('scr', screening.screeningId),
    decision: screening.decision,
    score: screening.score,
    rules_fired: screening.rulesFired,
    list_hits: screening.listHits,
    list_versions: screening.listVersions,
    trigger: screening.trigger,
    ...(screening.by && { by: screening.by }),
  };
}

function openedEvent(tenantId: string, caseId: string, screening: NoticedScreening): EventRecord {
  return eventRecord({
    tenantId,
    module: 'compliance',
    type: 'case.opened',
    payload: {
      case_id: typeId('cas', caseId),
      screening_id: typeId('scr', screening.screeningId),
      subject_ref: screening.subjectRef,
    },
    occurredAt: screening.at,
  });
}

const hitKey = (hit: CaseHit): string => `${hit.list} ${hit.entry_id} ${hit.party ?? ''}`;

/** The later screening knows better what an entry says and how close it came. */
function merged(before: CaseHit[], now: CaseHit[]): CaseHit[] {
  const hits = new Map(before.map((hit) => [hitKey(hit), hit]));
  for (const hit of now) hits.set(hitKey(hit), hit);
  return [...hits.values()];
}

const inListOrder = (lists: ListCode[]): ListCode[] => ALL_LIST_CODES.filter((list) => lists.includes(list));
