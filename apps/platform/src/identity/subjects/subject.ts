/** What a session is opened with. */
export interface SubjectFacts {
  externalRef: string | null;
  documentType: string;
  /** Null: the tenant does not know it (the person gave a kept verification without it). */
  documentNumber: string | null;
  country: string;
  email: string | null;
  phone: string | null;
}

export const KYC_STATUSES = ['pending', 'in_progress', 'manual_review', 'approved', 'rejected'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** What the subject's sealed record holds. */
export interface PersonalData {
  documentNumber: string | null;
  fullName: string | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  email: string | null;
  phone: string | null;
}

/** How the sealed record is written: JSON. The biometrics worker reads document_number, which every subject has who takes a flow. */
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
    documentNumber: read.document_number ?? null,
    fullName: read.full_name ?? null,
    birthDate: read.birth_date ?? null,
    email: read.email ?? null,
    phone: read.phone ?? null,
  };
}
