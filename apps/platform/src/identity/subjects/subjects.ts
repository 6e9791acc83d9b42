import { SUBJECT_RECORD_CONTEXT } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { plainDocumentNumber } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { openRecord, sealRecord } from '@constancia/storage';
import type {
  KycStatus,
  PersonalData,
  SessionSubjects,
  SubjectFacts,
  SubjectRecord,
} from '../sessions/session-ports.ts';
import type { DocumentDigest } from './document-digest.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { readRecord, recordOf, recordText, SUBJECT_COLUMNS, type SubjectRow } from './subject-row.ts';

const DECIDED: readonly KycStatus[] = ['approved', 'rejected'];

/** The tenant's customers, as flows see them. Every method works in the caller's transaction. */
export class Subjects implements SessionSubjects {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly digest: DocumentDigest,
  ) {}

  /** Of several that come at once with a new external_ref one makes the subject; the others wait for it and find it. */
  async findOrCreate(tx: Tx, tenantId: string, facts: SubjectFacts): Promise<SubjectRecord> {
    const found = await this.locked(tx, tenantId, facts.externalRef);
    if (found) return this.refreshed(tx, found, facts);
    const made = await this.created(tx, tenantId, facts);
    if (made) return made;
    const other = await this.locked(tx, tenantId, facts.externalRef);
    if (!other) throw new Error('the subject that was in the way is gone');
    return this.refreshed(tx, other, facts);
  }

  async find(tx: Tx, tenantId: string, subjectId: string): Promise<SubjectRecord> {
    const row = await subjectRow(tx, tenantId, subjectId);
    this.keys.seen(tx, row);
    return recordOf(row);
  }

  async open(tx: Tx, subject: SubjectRecord): Promise<PersonalData | null> {
    return this.opened(await subjectRow(tx, subject.tenantId, subject.id));
  }

  /** What a row's sealed record holds; null when its key is gone. */
  async opened(row: SubjectRow): Promise<PersonalData | null> {
    if (row.wrapped_key === null || row.sealed === null) return null;
    const key = await this.keys.unwrap(row.tenant_id, row.id, row.wrapped_key);
    return readRecord(openRecord(key, ownerOf(row), SUBJECT_RECORD_CONTEXT, row.sealed));
  }

  async learn(tx: Tx, subject: SubjectRecord, found: Partial<PersonalData>): Promise<void> {
    const row = await subjectRow(tx, subject.tenantId, subject.id, 'for update');
    const known = await this.opened(row);
    if (known === null || row.erased_at !== null) return;
    await this.write(tx, row, { ...known, ...found });
  }

  /** An erased subject stays as it is. */
  async setStatus(
    tx: Tx,
    subject: SubjectRecord,
    change: { kycStatus: KycStatus; restrictiveListHits?: string[]; verifiedAt?: Date },
  ): Promise<void> {
    await tx.query(
      `update identity.subject
          set kyc_status = $3, restrictive_list_hits = coalesce($4, restrictive_list_hits),
              verified_at = coalesce($5, verified_at), decided_at = case when $6 then now() else decided_at end, updated_at = now()
        where id = $1 and tenant_id = $2 and erased_at is null`,
      [
        subject.id,
        subject.tenantId,
        change.kycStatus,
        change.restrictiveListHits ?? null,
        change.verifiedAt ?? null,
        DECIDED.includes(change.kycStatus),
      ],
    );
  }

  async seal(tx: Tx, subject: SubjectRecord, context: string, text: string): Promise<Buffer | null> {
    const key = await this.keys.of(tx, subject.tenantId, subject.id);
    return key && sealRecord(key, { tenantId: subject.tenantId, subjectId: subject.id }, context, text);
  }

  async unseal(tx: Tx, subject: SubjectRecord, context: string, sealed: Buffer): Promise<string | null> {
    const key = await this.keys.of(tx, subject.tenantId, subject.id);
    return key && openRecord(key, { tenantId: subject.tenantId, subjectId: subject.id }, context, sealed);
  }

  private async locked(tx: Tx, tenantId: string, externalRef: string | null): Promise<SubjectRow | undefined> {
    if (externalRef === null) return undefined;
    const [row] = await tx.query<SubjectRow>(
      `select ${SUBJECT_COLUMNS} from identity.subject where tenant_id = $1 and external_ref = $2 for update`,
      [tenantId, externalRef],
    );
    return row;
  }

  /** Undefined: another transaction has made the subject of this external_ref. */
  private async created(tx: Tx, tenantId: string, facts: SubjectFacts): Promise<SubjectRecord | undefined> {
    const id = uuidv7();
    const key = await this.keys.make(tenantId, id);
    const data = { ...given(facts), fullName: null, birthDate: null };
    const sealed = sealRecord(key.plaintext, { tenantId, subjectId: id }, SUBJECT_RECORD_CONTEXT, recordText(data));
    const [row] = await tx.query<SubjectRow>(
      `insert into identity.subject
         (id, tenant_id, external_ref, document_type, document_country, document_number_hmac, wrapped_key, sealed)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict on constraint subject_external_ref do nothing
       returning ${SUBJECT_COLUMNS}`,
      [
        id,
        tenantId,
        facts.externalRef,
        facts.documentType,
        facts.country,
        this.digestOf(tenantId, facts),
        key.wrapped,
        sealed,
      ],
    );
    return row && recordOf(row);
  }

  /**
   * With the document, address and telephone given now. What was found out by another document goes with it: the external_ref says
   * that it is one person, nothing has proved it.
   */
  private async refreshed(tx: Tx, row: SubjectRow, facts: SubjectFacts): Promise<SubjectRecord> {
    const known = await this.opened(row);
    const now = given(facts);
    const same =
      known?.documentNumber === now.documentNumber &&
      row.document_type === facts.documentType &&
      row.document_country === facts.country;
    const data = {
      documentNumber: now.documentNumber,
      fullName: same ? known.fullName : null,
      birthDate: same ? known.birthDate : null,
      email: now.email ?? known?.email ?? null,
      phone: now.phone ?? known?.phone ?? null,
    };
    await tx.query(
      `update identity.subject set document_type = $3, document_country = $4, document_number_hmac = $5
        where id = $1 and tenant_id = $2`,
      [row.id, row.tenant_id, facts.documentType, facts.country, this.digestOf(row.tenant_id, facts)],
    );
    await this.write(tx, row, data);
    return { ...recordOf(row), documentType: facts.documentType, documentCountry: facts.country };
  }

  private async write(tx: Tx, row: SubjectRow, data: PersonalData): Promise<void> {
    if (row.wrapped_key === null) return;
    const key = await this.keys.unwrap(row.tenant_id, row.id, row.wrapped_key);
    const sealed = sealRecord(key, ownerOf(row), SUBJECT_RECORD_CONTEXT, recordText(data));
    await tx.query(
      `update identity.subject set sealed = $3, updated_at = now() where id = $1 and tenant_id = $2 and wrapped_key is not null`,
      [row.id, row.tenant_id, sealed],
    );
  }

  private digestOf(tenantId: string, { documentType, country, documentNumber }: SubjectFacts): Buffer {
    return this.digest.of(tenantId, { type: documentType, country, number: documentNumber });
  }
}

/** A row of the tenant's. Throws NotFound. */
export async function subjectRow(tx: Tx, tenantId: string, subjectId: string, lock = ''): Promise<SubjectRow> {
  const [row] = await tx.query<SubjectRow>(
    `select ${SUBJECT_COLUMNS} from identity.subject where id = $1 and tenant_id = $2 ${lock}`,
    [subjectId, tenantId],
  );
  if (!row) throw new NotFound();
  return row;
}

function given(facts: SubjectFacts): Pick<PersonalData, 'documentNumber' | 'email' | 'phone'> {
  return { documentNumber: plainDocumentNumber(facts.documentNumber), email: facts.email, phone: facts.phone };
}

const ownerOf = ({ id, tenant_id }: SubjectRow) => ({ tenantId: tenant_id, subjectId: id });
