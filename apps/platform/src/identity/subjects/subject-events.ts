import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';

/** Who was verified, and by which document. Ids are UUIDs. */
export interface VerifiedFacts {
  tenantId: string;
  subjectId: string;
  externalRef: string | null;
  documentType: string;
  documentCountry: string;
  /** Null: the birth date is not known. */
  ageYears: number | null;
  listHits: string[];
}

/** subject.verified: exactly the published payload, whatever the verification came from. */
export function subjectVerifiedEvent(facts: VerifiedFacts): EventRecord {
  return eventRecord({
    tenantId: facts.tenantId,
    module: 'identity',
    type: 'subject.verified',
    payload: {
      subject_id: typeId('sub', facts.subjectId),
      external_ref: facts.externalRef,
      kyc_status: 'approved',
      document_type: facts.documentType,
      document_country: facts.documentCountry,
      subject_age_years: facts.ageYears,
      restrictive_list_hits: facts.listHits,
    },
  });
}
