import { pathUuid } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { KycStatus } from './subject.ts';
import type { Subject } from './subject.entity.ts';
import { SubjectView } from './subject-view.ts';
import { subjectRow, Subjects } from './subjects.ts';

export interface SubjectFilter {
  externalRef?: string;
  kycStatus?: KycStatus;
  documentType?: string;
  /** UUID: begin after it, downwards. */
  before?: string;
  limit: number;
}

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
    return this.view(await this.database.tenant(tenantId, (tx) => subjectRow(tx, tenantId, uuid)));
  }

  list(tenantId: string, filter: SubjectFilter): Promise<Subject[]> {
    return this.database.tenant(tenantId, (tx) => listSubjects(tx, tenantId, filter));
  }

  views(rows: Subject[]): Promise<SubjectView[]> {
    return Promise.all(rows.map((row) => this.view(row)));
  }

  private async view(row: Subject): Promise<SubjectView> {
    return SubjectView.of(row, await this.subjects.opened(row));
  }
}

/** Newest first, after a UUID. */
export function listSubjects(tx: Tx, tenantId: string, filter: SubjectFilter): Promise<Subject[]> {
  return tx.query<Subject>(
    `select * from identity.subject
      where tenant_id = $1 and ($2::text is null or external_ref = $2) and ($3::text is null or kyc_status = $3)
        and ($4::text is null or document_type = $4) and ($5::uuid is null or id < $5)
      order by id desc limit $6`,
    [tenantId, filter.externalRef, filter.kycStatus, filter.documentType, filter.before, filter.limit],
  );
}
