import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { subjectVerifiedEvent } from '../subjects/subject-events.ts';
import type { FlowSession } from './session-row.ts';

/** subject.verified of a session. */
export function verifiedEvent(session: FlowSession, ageYears: number | null): EventRecord {
  return subjectVerifiedEvent({
    tenantId: session.tenant_id,
    subjectId: session.subject_id,
    externalRef: session.external_ref,
    documentType: session.document_type,
    documentCountry: session.document_country,
    ageYears,
    listHits: session.list_hits,
  });
}

/** subject.rejected and flow.session.manual_review. `reason`: a stable word. */
export function sessionEvent(
  type: 'subject.rejected' | 'flow.session.manual_review',
  session: FlowSession,
  reason: string,
): EventRecord {
  return eventRecord({
    tenantId: session.tenant_id,
    module: 'identity',
    type,
    payload: {
      session_id: typeId('fls', session.id),
      subject_id: typeId('sub', session.subject_id),
      external_ref: session.external_ref,
      reason,
    },
  });
}
