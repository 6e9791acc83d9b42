import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { SignatureRequest, type SignatureStatus } from './signature-request.entity.ts';
import type { ViewedRequest } from './signature-view.ts';

/** The first page of a list, or the one after a cursor. */
export interface SignatureFilter {
  status?: SignatureStatus;
  templateUuid?: string;
  subjectRef?: string;
  beforeId?: string;
  limit: number;
}

const VIEWED = `id, template_id, subject_ref, status, created_at, credits_debited, credits_refunded, failure_code,
  failure_reason, signed_at, document_sha256`;
const DOCUMENT = `id, tenant_id, status, document_sha256, document_key, document_size, kms_key_arn, signature,
  signature_algorithm, signed_at`;

/** What the download and the verification of a document read. */
export type DocumentRow = Pick<
  SignatureRequest,
  | 'id'
  | 'tenant_id'
  | 'status'
  | 'document_sha256'
  | 'document_key'
  | 'document_size'
  | 'kms_key_arn'
  | 'signature'
  | 'signature_algorithm'
  | 'signed_at'
>;

/** The signature requests of every tenant, as far as they are read. */
export class Signatures {
  constructor(private readonly database: Database) {}

  /** One request by its TypeID, in one round trip: everyone polls this. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<ViewedRequest> {
    return this.findColumns('find_signature', VIEWED, tenantId, id);
  }

  /** The same, with what proves the document instead of what is shown of the request. */
  findDocument(tenantId: string, id: string): Promise<DocumentRow> {
    return this.findColumns('find_signature_document', DOCUMENT, tenantId, id);
  }

  /** Requests of a tenant, newest first. */
  list(tenantId: string, filter: SignatureFilter): Promise<SignatureRequest[]> {
    return this.database.tenant(tenantId, (tx) => {
      const query = tx.manager
        .createQueryBuilder(SignatureRequest, 'r')
        .where('r.tenant_id = :tenantId', { tenantId })
        .orderBy('r.id', 'DESC')
        .limit(filter.limit);
      if (filter.status) query.andWhere('r.status = :status', { status: filter.status });
      if (filter.templateUuid) query.andWhere('r.template_id = :templateUuid', { templateUuid: filter.templateUuid });
      if (filter.subjectRef) query.andWhere('r.subject_ref = :subjectRef', { subjectRef: filter.subjectRef });
      if (filter.beforeId) query.andWhere('r.id < :beforeId', { beforeId: filter.beforeId });
      return query.getMany();
    });
  }

  private async findColumns<Row>(statement: string, columns: string, tenantId: string, id: string): Promise<Row> {
    const uuid = uuidOf('sig', id);
    if (!uuid) throw new NotFound();
    const sql = `select ${columns} from signing.find_signature($1, $2)`;
    const [row] = await this.database.prepared<Row>(statement, sql, [tenantId, uuid]);
    if (!row) throw new NotFound();
    return row;
  }
}
