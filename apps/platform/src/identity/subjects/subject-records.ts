import { pathUuid } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { KycStatus } from './subject.ts';
import type { Subject } from './subject.entity.ts';
import { SubjectView } from './subject-view.ts';
import { Subjects } from './subjects.ts';

export interface SubjectFilter {
  externalRef?: string;
  kycStatus?: KycStatus;
  documentType?: string;
  /** UUID: begin after it, downwards. */
  before?: string;
  limit: number;
}

/** A subject with the receipt of its erasure. */
export interface SubjectRecord extends Subject {
  /** UUID. */
  receipt_id: string | null;
}

const RECORDS = `
  select s.*, (select r.id from identity.erasure_receipt r where r.subject_id = s.id and r.tenant_id = s.tenant_id) as receipt_id
    from identity.subject s
   where s.tenant_id = $1`;

/** Subjects as their tenant sees them. Records are opened outside of transactions: KMS must not hold a connection. */
@Injectable()
export class SubjectRecords {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
  ) {}

  /** Throws NotFound. */
  async show(tenantId: string, id: string): Promise<SubjectView> {
    const uuid = pathUuid('sub', id);
    const [row] = await this.database.tenant(tenantId, (tx) =>
      tx.query<SubjectRecord>(`${RECORDS} and s.id = $2`, [tenantId, uuid]),
    );
    if (!row) throw new NotFound();
    return this.view(row);
  }

  list(tenantId: string, filter: SubjectFilter): Promise<SubjectRecord[]> {
    return this.database.snapshot(tenantId, (tx) => listSubjects(tx, tenantId, filter));
  }

  views(rows: SubjectRecord[]): Promise<SubjectView[]> {
    return Promise.all(rows.map((row) => this.view(row)));
  }

  private async view(row: SubjectRecord): Promise<SubjectView> {
    return SubjectView.of(row, await this.subjects.opened(row));
  }
}

/** Newest first, after a UUID. */
export function listSubjects(tx: Tx, tenantId: string, filter: SubjectFilter): Promise<SubjectRecord[]> {
  return tx.query<SubjectRecord>(
    `${RECORDS} and ($2::text is null or s.external_ref = $2) and ($3::text is null or s.kyc_status = $3)
        and ($4::text is null or s.document_type = $4) and ($5::uuid is null or s.id < $5)
      order by s.id desc limit $6`,
    [tenantId, filter.externalRef, filter.kycStatus, filter.documentType, filter.before, filter.limit],
  );
}
