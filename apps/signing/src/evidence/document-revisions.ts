import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { DocumentRevision } from './document-revision.entity.ts';

/** A sealed document, of a signature request or an envelope. `id`: UUID. */
export type DocumentName = Pick<DocumentRevision, 'tenant_id' | 'kind'> & { id: string };

/** The files that long-term evidence made of sealed documents. */
@Injectable()
export class DocumentRevisions {
  constructor(private readonly database: Database) {}

  /** The newest; null while there is none, and the document is as it was sealed. */
  latest(name: DocumentName): Promise<DocumentRevision | null> {
    return this.find(name);
  }

  withSha256(name: DocumentName, document_sha256: Buffer): Promise<DocumentRevision | null> {
    return this.find(name, { document_sha256 });
  }

  private find({ tenant_id, kind, id }: DocumentName, more: object = {}): Promise<DocumentRevision | null> {
    const where = { tenant_id, kind, document_id: id, ...more };
    return this.database.tenant(tenant_id, (tx) =>
      tx.manager.findOne(DocumentRevision, { where, order: { number: 'DESC' } }),
    );
  }
}
