import { PRICE } from '@constancia/contracts';
import type { FunctionCall, TableRows, WorkUnit } from '@constancia/credit-ledger';
import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId, uuidv7 } from '@constancia/kernel';
import { MATCHER_VERSION } from '@constancia/name-screening';
import type { SubjectKey, TenantKeyring } from '@constancia/personal-data';
import { EVALUATOR_VERSION } from '@constancia/rule-graph';
import { attachToCase, type CaseAttachment } from '../cases/attach-to-case.ts';
import { outcomeText } from './assess.ts';
import { toCaseScreening } from './to-case-screening.ts';
import type { SubjectSealing } from './screening-context.ts';
import type { Basis, MadeScreening, ScreeningOrder } from './screening-order.ts';
import { ScreeningView } from './screening-view.ts';
import { type ScreeningRow, sealScreening } from './sealed-screening.ts';

interface ScreeningUnit {
  /** UUID of the screening. */
  id: string;
  unit: WorkUnit;
  /** Its answer: nobody reads that of a row of a batch. */
  made: () => MadeScreening;
}

/** Everything that commits together. */
export function unitOf(tenantId: string, order: ScreeningOrder, basis: Basis): ScreeningUnit {
  const [id, at] = [uuidv7(), new Date()];
  const { validation, assessment, known, lists } = basis;
  const { outcome } = assessment;
  const claim = keyClaim(order.subjectRef, known.sealing);
  const key = claim?.key ?? null;
  const attachment =
    outcome.decision === 'approve'
      ? null
      : attachToCase(
          tenantId,
          known.cases,
          toCaseScreening({ id, at, order, validation, assessment, entries: lists.set }),
          key && { key, keyring: known.sealing.keyring },
        );
  const row = rowOf({ id, at, order, validation, assessment, caseId: attachment?.caseId ?? null });
  const made = onDemand((): MadeScreening => {
    const view = ScreeningView.of(row, outcome);
    return { view, text: JSON.stringify(view) };
  });
  const unit: WorkUnit = {
    tenantId,
    writes: [
      ...(claim?.writes ?? []),
      {
        table: 'screening',
        rows: [storedRow(row, validation.rulesHash, key && { keyring: known.sealing.keyring, key })],
      },
    ],
    events: eventsOf(tenantId, row, attachment),
    calls: [...(claim?.calls ?? []), ...(attachment ? [attachment.call] : [])],
    ...(order.idempotency && {
      idempotency: {
        ...order.idempotency.request,
        response: order.idempotency.answer(made().text),
        ...(key && { owner: key }),
      },
    }),
    ...(order.trigger === 'api' && {
      debit: { module: 'compliance', refType: 'screening', refId: id, amount: PRICE.screening },
    }),
  };
  return { id, unit, made };
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type MadeRow = Omit<ScreeningRow, 'tenant_id' | 'rules_hash'>;

interface Decided extends Pick<Basis, 'validation' | 'assessment'> {
  id: string;
  at: Date;
  order: ScreeningOrder;
  caseId: string | null;
}

function rowOf({ id, at, order, validation, assessment, caseId }: Decided): MadeRow {
  const { outcome, facts, dismissed, namesNotCompared } = assessment;
  return {
    id,
    validation_id: validation.id,
    validation_code: validation.code,
    validation_version: validation.version,
    subject_ref: order.subjectRef,
    subject_type: order.subjectType,
    trigger: order.trigger,
    request_id: order.requestId ?? null,
    decision: outcome.decision,
    score: outcome.score,
    list_hits: outcome.list_hits,
    facts,
    dismissed: dismissed.map(({ hit, party }) => ({ list: hit.list, entry_id: hit.entryId, party })),
    names_not_compared: namesNotCompared,
    result: outcomeText(outcome),
    list_versions: outcome.list_versions,
    matcher_version: MATCHER_VERSION,
    evaluator_version: EVALUATOR_VERSION,
    case_id: caseId,
    credits_debited: order.trigger === 'api' ? PRICE.screening : 0,
    created_at: at,
  };
}

interface KeyClaim {
  key: SubjectKey;
  writes: TableRows[];
  calls: FunctionCall[];
}

/**
 * The subject's key, and what makes it a key of the unit: the row of a new one, or that a known one is still in use. Rows of many units
 * are one insert. When the subject has another key by now, the unit fails with caseChanged(error).
 */
function keyClaim(ref: string, { keyring, key, isSealed }: SubjectSealing): KeyClaim | null {
  if (!isSealed) return null;
  if (key) return { key, writes: [], calls: [{ function: 'claim_subject_key', args: { id: key.id, ref } }] };
  const made = keyring.newSubject();
  const row = { id: made.key.id, ref, wrapped_key: bytes(made.wrapped) };
  return { key: made.key, writes: [{ table: 'subject_key', rows: [row] }], calls: [] };
}

const bytes = (value: Buffer): string => `\\x${value.toString('hex')}`;

/** What the store keeps: of a sealed row nothing personal is in the clear. */
function storedRow(
  row: MadeRow,
  rulesHash: Buffer,
  sealing: { keyring: TenantKeyring; key: SubjectKey } | null,
): Record<string, unknown> {
  const stored = { ...row, rules_hash: bytes(rulesHash) };
  if (!sealing) return stored;
  const sealed = sealScreening(sealing, row.id, row);
  return {
    ...stored,
    facts: {},
    dismissed: [],
    result: '',
    subject_key_id: sealed.subject_key_id,
    sealed_payload: bytes(sealed.sealed_payload),
    sealed_facts: bytes(sealed.sealed_facts),
    sealed_result: bytes(sealed.sealed_result),
    monitored_payload: bytes(sealed.monitored_payload),
  };
}

/** A case with a ROS draft is reported to nobody, and neither is what happens to it. */
function eventsOf(
  tenantId: string,
  row: Pick<ScreeningRow, 'id' | 'subject_ref' | 'decision' | 'trigger' | 'created_at'>,
  attachment: CaseAttachment | null,
): EventRecord[] {
  if (attachment && !attachment.emits) return [];
  const completed = eventRecord({
    tenantId,
    module: 'compliance',
    type: 'screening.completed',
    payload: {
      screening_id: typeId('scr', row.id),
      subject_ref: row.subject_ref,
      decision: row.decision,
      trigger: row.trigger,
    },
    occurredAt: row.created_at,
  });
  return [completed, ...(attachment?.events ?? [])];
}
