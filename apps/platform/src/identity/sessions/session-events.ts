import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import type { FlowSession } from './session-row.ts';

/** subject.verified: exactly the published payload. */
export function verifiedEvent(session: FlowSession, ageYears: number | null): EventRecord {
  return eventRecord({
    tenantId: session.tenant_id,
    module: 'identity',
    type: 'subject.verified',
    payload: {
      subject_id: typeId('sub', session.subject_id),
      external_ref: session.external_ref,
      kyc_status: 'approved',
      document_type: session.document_type,
      document_country: session.document_country,
      subject_age_years: ageYears,
      restrictive_list_hits: session.list_hits,
    },
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
