import { pathUuid } from '@constancia/http';
import { Coalescer } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SignatureRequest, type SignatureStatus } from './signature-request.entity.ts';
import type { ViewedRequest } from './signature-view.ts';

/** The first page of a list, or the one after a cursor. */
export interface SignatureFilter {
  status?: SignatureStatus;
  templateUuid?: string;
  subjectRef?: string;
  externalRef?: string;
  beforeId?: string;
  limit: number;
}

const FIND_VIEWED = `select id, tenant_id, template_id, subject_ref, external_ref, metadata, status, created_at, credits_debited, credits_refunded,
    failure_code, failure_reason, signed_at, document_sha256
  from signing.find_signatures($1, $2)`;
/** Reads that one round trip answers at most. */
const READS_AT_ONCE = 200;

interface Wanted {
  tenantId: string;
  uuid: string;
}

/** The signature requests of every tenant, as far as they are read. */
@Injectable()
export class Signatures {
  private readonly reads: Coalescer<Wanted, ViewedRequest | undefined>;

  constructor(private readonly database: Database) {
    this.reads = new Coalescer((wanted) => this.findMany(wanted), { maxBatch: READS_AT_ONCE, maxConcurrent: 2 });
  }

  /** One request by its TypeID: everyone polls this, so reads that meet share a round trip. Throws NotFound, for another tenant's too. */
  async find(tenantId: string, id: string): Promise<ViewedRequest> {
    const request = await this.reads.submit({ tenantId, uuid: pathUuid('sig', id) });
    if (!request) throw new NotFound();
    return request;
  }

  /** The same, with what proves the document instead of what is shown of the request. */
  async findDocument(tenantId: string, id: string): Promise<SignatureRequest> {
    const wanted = { id: pathUuid('sig', id), tenant_id: tenantId };
    const row = await this.database.tenant(tenantId, (tx) => tx.manager.findOneBy(SignatureRequest, wanted));
    if (!row) throw new NotFound();
    return row;
  }

  /** Requests of a tenant, newest first. */
  list(tenantId: string, filter: SignatureFilter): Promise<SignatureRequest[]> {
    return this.database.snapshot(tenantId, (tx) => listSignatures(tx, tenantId, filter));
  }

  private async findMany(wanted: Wanted[]): Promise<(ViewedRequest | undefined)[]> {
    const rows = await this.database.prepared<ViewedRequest & { tenant_id: string }>('find_signatures', FIND_VIEWED, [
      wanted.map(({ tenantId }) => tenantId),
      wanted.map(({ uuid }) => uuid),
    ]);
    const found = new Map(rows.map((row) => [`${row.tenant_id} ${row.id}`, row]));
    return wanted.map(({ tenantId, uuid }) => found.get(`${tenantId} ${uuid}`));
  }
}

/** Requests of a tenant, newest first. */
export function listSignatures(tx: Tx, tenantId: string, filter: SignatureFilter): Promise<SignatureRequest[]> {
  const query = tx.manager
    .createQueryBuilder(SignatureRequest, 'r')
    .where('r.tenant_id = :tenantId', { tenantId })
    .orderBy('r.id', 'DESC')
    .limit(filter.limit);
  if (filter.status) query.andWhere('r.status = :status', { status: filter.status });
  if (filter.templateUuid) query.andWhere('r.template_id = :templateUuid', { templateUuid: filter.templateUuid });
  if (filter.subjectRef) query.andWhere('r.subject_ref = :subjectRef', { subjectRef: filter.subjectRef });
  if (filter.externalRef) query.andWhere('r.external_ref = :externalRef', { externalRef: filter.externalRef });
  if (filter.beforeId) query.andWhere('r.id < :beforeId', { beforeId: filter.beforeId });
  return query.getMany();
}
