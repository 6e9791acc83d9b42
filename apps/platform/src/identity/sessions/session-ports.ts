import type { Tx } from '@constancia/persistence';

/** What a session is opened with. */
export interface SubjectFacts {
  externalRef: string | null;
  documentType: string;
  documentNumber: string;
  country: string;
  email: string | null;
  phone: string | null;
}

export const KYC_STATUSES = ['pending', 'in_progress', 'manual_review', 'approved', 'rejected'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** A subject as flows see it. Nothing personal is in the clear. */
export interface SubjectRecord {
  /** UUID. */
  id: string;
  tenantId: string;
  externalRef: string | null;
  kycStatus: KycStatus;
  documentType: string;
  documentCountry: string;
  erasedAt: Date | null;
}

/** What the subject's sealed record holds. */
export interface PersonalData {
  documentNumber: string;
  fullName: string | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  email: string | null;
  phone: string | null;
}

/** What flows need of subjects; identity/subjects is where it is done. */
export interface SessionSubjects {
  /** The tenant's subject of this external_ref, with the document given now; without external_ref a new one. */
  findOrCreate(tx: Tx, tenantId: string, facts: SubjectFacts): Promise<SubjectRecord>;
  /** Throws NotFound. */
  find(tx: Tx, tenantId: string, subjectId: string): Promise<SubjectRecord>;
  /** Null: erased. */
  open(tx: Tx, subject: SubjectRecord): Promise<PersonalData | null>;
  /** Adds what a step found out to the sealed record. */
  learn(tx: Tx, subject: SubjectRecord, found: Partial<PersonalData>): Promise<void>;
  setStatus(
    tx: Tx,
    subject: SubjectRecord,
    change: { kycStatus: KycStatus; restrictiveListHits?: string[]; verifiedAt?: Date },
  ): Promise<void>;
  /** AES-256-GCM under the subject's data key, bound to tenant, subject and context. Null: the key is gone. */
  seal(tx: Tx, subject: SubjectRecord, context: string, text: string): Promise<Buffer | null>;
  /** Null: the key is gone. Throws when the bytes were altered or belong elsewhere. */
  unseal(tx: Tx, subject: SubjectRecord, context: string, sealed: Buffer): Promise<string | null>;
}

/** A picture that was uploaded, checked and kept. */
export interface StoredAsset {
  /** UUID. */
  id: string;
  kind: string;
  storedAt: Date;
}

/** What flows need of uploads; identity/uploads is where it is done. */
export interface SessionAssets {
  /**
   * The stored asset of a stored_uri (`asset://ast_…`). Throws NotFound: unknown, not uploaded yet, or of another subject.
   */
  require(tx: Tx, tenantId: string, subjectId: string, storedUri: string): Promise<StoredAsset>;
}

export interface ConsentFacts {
  sessionId: string;
  subjectId: string;
  /** es-CO or en. */
  locale: string;
  textVersion: string;
  /** Hex. */
  textSha256: string;
  purposes: string[];
  /** Biometric data are sensitive: consent to them is given apart (Ley 1581, art. 6). */
  sensitiveData: boolean;
  ip: string;
  userAgent: string | null;
}

/** What flows need of consent evidence; identity/privacy is where it is kept. */
export interface ConsentRecords {
  record(tx: Tx, tenantId: string, facts: ConsentFacts): Promise<void>;
}
