import type { KycStatus, PersonalData, SubjectRecord } from '../sessions/session-ports.ts';

/** A row of identity.subject. Ids are UUIDs. */
export interface SubjectRow {
  id: string;
  tenant_id: string;
  external_ref: string | null;
  kyc_status: KycStatus;
  document_type: string;
  document_country: string;
  wrapped_key: Buffer | null;
  sealed: Buffer | null;
  restrictive_list_hits: string[];
  verified_at: Date | null;
  decided_at: Date | null;
  created_at: Date;
  erased_at: Date | null;
  legal_hold_until: Date | null;
}

export const SUBJECT_COLUMNS = `id, tenant_id, external_ref, kyc_status, document_type, document_country, wrapped_key, sealed,
  restrictive_list_hits, verified_at, decided_at, created_at, erased_at, legal_hold_until`;

export function recordOf(row: SubjectRow): SubjectRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    externalRef: row.external_ref,
    kycStatus: row.kyc_status,
    documentType: row.document_type,
    documentCountry: row.document_country,
    erasedAt: row.erased_at,
  };
}

/** How the sealed record is written: JSON. The biometrics worker reads document_number. */
export function recordText(data: PersonalData): string {
  return JSON.stringify({
    document_number: data.documentNumber,
    full_name: data.fullName,
    birth_date: data.birthDate,
    email: data.email,
    phone: data.phone,
  });
}

export function readRecord(text: string): PersonalData {
  const read = JSON.parse(text) as Record<string, string | null>;
  return {
    documentNumber: read.document_number as string,
    fullName: read.full_name ?? null,
    birthDate: read.birth_date ?? null,
    email: read.email ?? null,
    phone: read.phone ?? null,
  };
}
