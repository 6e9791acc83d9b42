import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import type { CaseHit } from '../case-records/noticed-screening.ts';
import type { NewCaseEvent } from '../case-records/case-timeline.ts';
import { concealedHash } from '../case-records/case-secrets.ts';
import type { CaseChange, LockedCase } from '../cases/cases.ts';
import type { Resolution } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { rosDraft, rosDraftHash } from './ros-draft.ts';

/** Who resolves a case, and for whom. */
export interface Resolving {
  /** Who decided. */
  resolvedBy: string;
  /** The second person, where one was needed: then the one who acts now. */
  approvedBy: string | null;
  tenantName: string;
}

/**
 * Ends a case: `false_positive` dismisses its hits, so that they count no more until one side changes; `true_match` confirms them
 * and drafts a ROS. Of a case with a ROS draft nothing is emitted, now or later: a report must not be tipped off.
 */
export async function resolved(tx: Tx, found: LockedCase, resolution: Resolution, who: Resolving): Promise<CaseChange> {
  const now = new Date();
  const { decision, reason } = resolution;
  const actor = who.approvedBy ?? who.resolvedBy;
  const step = { actor, from: found.status, to: found.status };
  const events: NewCaseEvent[] = [];
  const hits = decidedHits(found, resolution);
  if (decision === 'false_positive') await suppress(tx, found, hits);
  if (decision === 'false_positive' || decision === 'true_match') {
    const type = decision === 'true_match' ? 'hit_confirmed' : 'hit_dismissed';
    events.push(
      ...hits.map(
        ({ list, entry_id, name, entry_hash }) =>
          ({ ...step, type, data: { list, entry_id, name, entry_hash } }) as const,
      ),
    );
  }
  const { discriminating_data } = resolution;
  events.push({
    ...step,
    type: 'resolved',
    to: 'resolved',
    data: { decision, reason, discriminating_data, resolved_by: who.resolvedBy, approved_by: who.approvedBy },
  });
  const columns: CaseChange['columns'] = {
    status: 'resolved',
    resolved_at: now,
    decision,
    decision_reason: reason,
    resolved_by: who.resolvedBy,
    four_eyes_approver: who.approvedBy,
    proposal: null,
  };
  if (decision === 'true_match') {
    const draft = rosDraft(found, { actor, reportingEntity: who.tenantName, resolution, confirmed: hits, at: now });
    columns.ros_reference = draft.reference;
    columns.ros_draft = draft;
    const data = { reference: draft.reference, draft_sha256: rosDraftHash(draft) };
    events.push({ actor, type: 'ros_drafted', from: 'resolved', to: 'resolved', data });
  }
  const silent = decision === 'true_match' || found.ros_reference !== null;
  return { columns, events, emitted: silent ? [] : [resolvedEvent(found, resolution, now)] };
}

/** The hits that a decision is about: those that it names, else all. */
function decidedHits(found: ReviewCase, { hits }: Resolution): CaseHit[] {
  if (hits.length === 0) return found.hits;
  return found.hits.filter((hit) => hits.some(({ list, entry_id }) => list === hit.list && entry_id === hit.entry_id));
}

async function suppress(tx: Tx, found: LockedCase, hits: CaseHit[]): Promise<void> {
  const rows = hits.map(({ list, entry_id, entry_hash, subject_hash }) => ({
    list,
    entry_id,
    entry_hash,
    subject_hash: found.sealing ? concealedHash(found.sealing.keyring, subject_hash) : subject_hash,
  }));
  await tx.query(
    `insert into compliance.suppressed_hit
            (tenant_id, subject_ref, subject_type, subject_hash, list, entry_hash, entry_id, case_id)
     select $1, $2, $3, h.subject_hash, h.list, h.entry_hash, h.entry_id, $4
       from jsonb_to_recordset($5) as h(subject_hash text, list text, entry_hash text, entry_id text)
     on conflict (case_id, subject_hash, list, entry_hash) do update set withdrawn_at = null`,
    [found.tenant_id, found.subject_ref, found.subject_type, found.id, JSON.stringify(rows)],
  );
}

function resolvedEvent(found: ReviewCase, { decision }: Resolution, at: Date): EventRecord {
  return eventRecord({
    tenantId: found.tenant_id,
    module: 'compliance',
    type: 'case.resolved',
    payload: {
      case_id: typeId('cas', found.id),
      screening_id: typeId('scr', found.screening_id),
      subject_ref: found.subject_ref,
      decision,
    },
    occurredAt: at,
  });
}
