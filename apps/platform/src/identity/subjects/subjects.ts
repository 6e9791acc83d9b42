import { SUBJECT_RECORD_CONTEXT } from '@constancia/contracts';
import { openRecord, sealRecord, uuidv7 } from '@constancia/kernel';
import { plainDocumentNumber } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { DocumentDigest } from './document-digest.ts';
import { SubjectKeys } from './subject-keys.ts';
import type { Subject } from './subject.entity.ts';
import { type KycStatus, type PersonalData, readRecord, recordText, type SubjectFacts } from './subject.ts';

const DECIDED: readonly KycStatus[] = ['approved', 'rejected'];

/** The tenant's customers, as flows see them. Every method works in the caller's transaction. */
@Injectable()
export class Subjects {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly digest: DocumentDigest,
  ) {}

  /**
   * The tenant's subject of this external_ref, with the document given now; without external_ref a new one. Of several calls at once with
   * a new external_ref one creates the subject; the others wait for it and find it.
   */
  async findOrCreate(tx: Tx, tenantId: string, facts: SubjectFacts): Promise<Subject> {
    const found = await this.locked(tx, tenantId, facts.externalRef);
    if (found) return this.refreshed(tx, found, facts);
    const created = await this.created(tx, tenantId, facts);
    if (created) return created;
    const other = await this.locked(tx, tenantId, facts.externalRef);
    if (!other) throw new Error('the subject that was in the way is gone');
    return this.refreshed(tx, other, facts);
  }

  /** Throws NotFound. */
  async find(tx: Tx, tenantId: string, subjectId: string): Promise<Subject> {
    const row = await subjectRow(tx, tenantId, subjectId);
    this.keys.seen(tx, row);
    return row;
  }

  /** Null: erased. */
  async open(tx: Tx, subject: Subject): Promise<PersonalData | null> {
    return this.opened(await subjectRow(tx, subject.tenant_id, subject.id));
  }

  /** What a row's sealed record holds; null when its key is gone. */
  async opened(row: Subject): Promise<PersonalData | null> {
    if (row.wrapped_key === null || row.sealed === null) return null;
    const key = await this.keys.unwrap(row.tenant_id, row.id, row.wrapped_key);
    return readRecord(openRecord(key, ownerOf(row), SUBJECT_RECORD_CONTEXT, row.sealed));
  }

  /** Adds what a step found out to the sealed record. */
  async learn(tx: Tx, subject: Subject, found: Partial<PersonalData>): Promise<void> {
    const row = await subjectRow(tx, subject.tenant_id, subject.id, 'for update');
    const known = await this.opened(row);
    if (known === null || row.erased_at !== null) return;
    await this.write(tx, row, { ...known, ...found });
  }

  /** An erased subject stays as it is. */
  async setStatus(
    tx: Tx,
    subject: Subject,
    change: { kycStatus: KycStatus; restrictiveListHits?: string[]; verifiedAt?: Date },
  ): Promise<void> {
    await tx.query(
      `update identity.subject
          set kyc_status = $3, restrictive_list_hits = coalesce($4, restrictive_list_hits),
              verified_at = coalesce($5, verified_at), decided_at = case when $6 then now() else decided_at end, updated_at = now()
        where id = $1 and tenant_id = $2 and erased_at is null`,
      [
        subject.id,
        subject.tenant_id,
        change.kycStatus,
        change.restrictiveListHits,
        change.verifiedAt,
        DECIDED.includes(change.kycStatus),
      ],
    );
  }

  /** AES-256-GCM under the subject's data key, bound to tenant, subject and context. Null: the key is gone. */
  async seal(tx: Tx, subject: Subject, context: string, text: string): Promise<Buffer | null> {
    const key = await this.keys.of(tx, subject.tenant_id, subject.id);
    return key && sealRecord(key, ownerOf(subject), context, text);
  }

  /** Null: the key is gone. Throws when the bytes were altered or belong elsewhere. */
  async unseal(tx: Tx, subject: Subject, context: string, sealed: Buffer): Promise<string | null> {
    const key = await this.keys.of(tx, subject.tenant_id, subject.id);
    return key && openRecord(key, ownerOf(subject), context, sealed);
  }

  private async locked(tx: Tx, tenantId: string, externalRef: string | null): Promise<Subject | undefined> {
    if (externalRef === null) return undefined;
    const [row] = await tx.query<Subject>(
      `select * from identity.subject where tenant_id = $1 and external_ref = $2 for update`,
      [tenantId, externalRef],
    );
    return row;
  }

  /** Undefined: another transaction has made the subject of this external_ref. */
  private async created(tx: Tx, tenantId: string, facts: SubjectFacts): Promise<Subject | undefined> {
    const id = uuidv7();
    const key = await this.keys.create(tenantId, id);
    const data = { ...given(facts), fullName: null, birthDate: null };
    const sealed = sealRecord(key.plaintext, { tenantId, subjectId: id }, SUBJECT_RECORD_CONTEXT, recordText(data));
    const [row] = await tx.query<Subject>(
      `insert into identity.subject
         (id, tenant_id, external_ref, document_type, document_country, document_number_hmac, wrapped_key, sealed)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict on constraint subject_external_ref do nothing
       returning *`,
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
    return row;
  }

  /**
   * With the document, address and telephone given now. What was found out by another document goes with it: the external_ref says
   * that it is one person, nothing has proved it.
   */
  private async refreshed(tx: Tx, row: Subject, facts: SubjectFacts): Promise<Subject> {
    const known = await this.opened(row);
    const now = given(facts);
    const same =
      now.documentNumber !== null &&
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
    return { ...row, document_type: facts.documentType, document_country: facts.country };
  }

  private async write(tx: Tx, row: Subject, data: PersonalData): Promise<void> {
    if (row.wrapped_key === null) return;
    const key = await this.keys.unwrap(row.tenant_id, row.id, row.wrapped_key);
    const sealed = sealRecord(key, ownerOf(row), SUBJECT_RECORD_CONTEXT, recordText(data));
    await tx.query(
      `update identity.subject set sealed = $3, updated_at = now() where id = $1 and tenant_id = $2 and wrapped_key is not null`,
      [row.id, row.tenant_id, sealed],
    );
  }

  private digestOf(tenantId: string, { documentType, country, documentNumber }: SubjectFacts): Buffer | null {
    if (documentNumber === null) return null;
    return this.digest.of(tenantId, { type: documentType, country, number: documentNumber });
  }
}

/** A row of the tenant's. Throws NotFound. */
export async function subjectRow(tx: Tx, tenantId: string, subjectId: string, lock = ''): Promise<Subject> {
  const [row] = await tx.query<Subject>(`select * from identity.subject where id = $1 and tenant_id = $2 ${lock}`, [
    subjectId,
    tenantId,
  ]);
  if (!row) throw new NotFound();
  return row;
}

function given(facts: SubjectFacts): Pick<PersonalData, 'documentNumber' | 'email' | 'phone'> {
  const { documentNumber, email, phone } = facts;
  return { documentNumber: documentNumber === null ? null : plainDocumentNumber(documentNumber), email, phone };
}

const ownerOf = ({ id, tenant_id }: Subject) => ({ tenantId: tenant_id, subjectId: id });
