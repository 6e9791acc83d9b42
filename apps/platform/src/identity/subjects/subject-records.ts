import { uuidOf } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { KycStatus } from '../sessions/session-ports.ts';
import { SUBJECT_COLUMNS, type SubjectRow } from './subject-row.ts';
import { SubjectView } from './subject-view.ts';
import { subjectRow, type Subjects } from './subjects.ts';

export interface SubjectFilter {
  externalRef?: string;
  kycStatus?: KycStatus;
  documentType?: string;
  /** UUID: begin after it, downwards. */
  before?: string;
  limit: number;
}

/** Subjects as their tenant sees them. Records are opened outside of transactions: KMS must not hold a connection. */
export class SubjectRecords {
  constructor(
    private readonly database: Database,
    private readonly subjects: Subjects,
  ) {}

  /** Throws NotFound. */
  async show(tenantId: string, id: string): Promise<SubjectView> {
    const uuid = subjectUuid(id);
    return this.view(await this.database.tenant(tenantId, (tx) => subjectRow(tx, tenantId, uuid)));
  }

  list(tenantId: string, filter: SubjectFilter): Promise<SubjectRow[]> {
    return this.database.tenant(tenantId, (tx) =>
      tx.query<SubjectRow>(
        `select ${SUBJECT_COLUMNS} from identity.subject
          where tenant_id = $1 and ($2::text is null or external_ref = $2) and ($3::text is null or kyc_status = $3)
            and ($4::text is null or document_type = $4) and ($5::uuid is null or id < $5)
          order by id desc limit $6`,
        [
          tenantId,
          filter.externalRef ?? null,
          filter.kycStatus ?? null,
          filter.documentType ?? null,
          filter.before ?? null,
          filter.limit,
        ],
      ),
    );
  }

  views(rows: SubjectRow[]): Promise<SubjectView[]> {
    return Promise.all(rows.map((row) => this.view(row)));
  }

  private async view(row: SubjectRow): Promise<SubjectView> {
    return SubjectView.of(row, await this.subjects.opened(row));
  }
}

/** The UUID in a subject_id. Throws NotFound. */
export function subjectUuid(id: string): string {
  const uuid = uuidOf('sub', id);
  if (uuid === null) throw new NotFound();
  return uuid;
}
