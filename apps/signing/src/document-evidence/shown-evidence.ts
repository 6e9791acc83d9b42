import { PdfPool } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { DocumentEvidence } from '../evidence/document-evidence.entity.ts';
import { DocumentRevision } from '../evidence/document-revision.entity.ts';
import type { DocumentName } from '../evidence/document-revisions.ts';
import { PdfStore } from '../pdf-store.ts';
import type { SealedDocument } from '../signatures/integrity.ts';
import { ownSignature } from '../signatures/own-signature.ts';
import { SigningKeys } from '../signing-keys/signing-keys.ts';
import { type EvidenceLevel, EvidenceView } from './evidence-view.ts';

/** What is known of the evidence of sealed documents. */
@Injectable()
export class ShownEvidence {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  async of({ tenant_id, kind, id }: DocumentName, sealed: SealedDocument): Promise<EvidenceView> {
    const where = { tenant_id, kind, document_id: id };
    const [due, revisions] = await this.database.tenant(tenant_id, async ({ manager }) => [
      await manager.findOneBy(DocumentEvidence, where),
      await manager.find(DocumentRevision, { where, order: { number: 'ASC' }, take: 1_000 }),
    ]);
    // Only what has a time-stamp is ever extended; of the others the file itself says it.
    const level = revisions.at(-1)?.level ?? (due ? 'B-T' : await this.levelOf(sealed));
    return EvidenceView.of(level, due, revisions);
  }

  private async levelOf({ document_key, kms_key_arn }: SealedDocument): Promise<EvidenceLevel> {
    const [pdf, keys] = await Promise.all([this.store.get(document_key), this.keys.named(kms_key_arn)]);
    const found = await this.pdfs.verify(pdf).catch((error: unknown) => {
      throw new DependencyUnavailable('PDFs cannot be read at present: try again.', {}, {}, error);
    });
    return ownSignature(found, keys)?.level ?? 'B-B';
  }
}
