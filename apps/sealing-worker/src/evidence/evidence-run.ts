import { createHash } from 'node:crypto';
import { backoffMs, typeId } from '@constancia/kernel';
import {
  collectEvidence,
  DOCUMENT_TIMESTAMP_ROOM,
  EvidenceUnavailable,
  lastSignature,
  PdfPool,
  timestampDocument,
} from '@constancia/pdf-sealing';
import { ObjectStore } from '@constancia/storage';
import { Logger, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SealingConfig } from '../config.ts';
import { configuredIssuers } from '../configured-chain.ts';
import { DocumentSeal } from '../document-seal.ts';
import { SIGNATURE_ALGORITHM } from '../document-signer.ts';
import { MemoryBudget } from '../memory-budget.ts';
import { unavailableDependency } from '../failure-decision.ts';
import { EvidenceAddresses } from './evidence-addresses.ts';
import { EvidenceMetrics } from './evidence-metrics.ts';
import { EvidenceTable, type EvidenceWork, type ExtendedDocument } from './evidence-table.ts';
import { renewalTime } from './renewal.ts';

/** 1 min, 2 min, 4 min … 6 h. */
const DELAYS = { firstMs: 60_000, longestMs: 21_600_000, jitter: 0.2 };

/** Extends one sealed document: evidence, a document time-stamp over it, and a detached signature over the file as it is then. */
@Injectable()
export class EvidenceRun {
  private readonly issuers: Buffer[];

  /** Throws ConfigInvalid. */
  constructor(
    private readonly table: EvidenceTable,
    private readonly addresses: EvidenceAddresses,
    private readonly pdfs: PdfPool,
    private readonly room: MemoryBudget,
    private readonly documentSeal: DocumentSeal,
    private readonly objects: ObjectStore,
    private readonly metrics: EvidenceMetrics,
    private readonly logger: Logger,
    private readonly config: SealingConfig,
  ) {
    this.issuers = configuredIssuers(config.evidenceIssuersFile);
  }

  /** Never rejects: what cannot even be written is left to the next run, when the lease has ended. */
  async run(work: EvidenceWork): Promise<void> {
    const named = { kind: work.kind, document_id: work.id, tenant_id: work.tenant_id, attempts: work.attempts };
    try {
      const document = await withSpan('evidence', { kind: work.kind }, () =>
        this.room.run(4 * work.document_size, () => this.extended(work)),
      );
      const ours = await this.table.complete(work, document);
      this.metrics.ended(ours ? 'extended' : 'lost');
    } catch (error) {
      this.metrics.ended('deferred');
      this.logger.warn({ ...named, error }, 'the evidence of a document could not be extended this time');
      await this.defer(work, error).catch((failed: unknown) =>
        this.logger.error({ ...named, error: failed }, 'the result of an evidence run could not be written'),
      );
    }
  }

  private async defer(work: EvidenceWork, error: unknown): Promise<void> {
    const setback = error instanceof EvidenceUnavailable ? 'evidence' : (unavailableDependency(error) ?? 'internal');
    await this.table.defer(work, backoffMs(work.attempts, DELAYS), setback);
  }

  private async extended(work: EvidenceWork): Promise<ExtendedDocument> {
    const level = work.level ?? (this.config.evidenceLevel === 'B-LT' ? 'B-LT' : 'B-LTA');
    const before = await this.document(work);
    const last = lastSignature(before);
    if (!last?.timestampEndsAt) throw new EvidenceUnavailable('the last signature of the document has no time-stamp');
    const evidence = await collectEvidence(last.leaves, [...last.certificates, ...this.issuers], {
      fetch: this.addresses.fetch,
    });
    const withEvidence = await this.pdfs.withEvidence(before, evidence, last.contents);
    if (level === 'B-LT') return { ...(await this.stored(work, withEvidence)), level, renewAt: null };
    const pdf = await this.timestamped(work, withEvidence);
    const endsAt = lastSignature(pdf)?.timestampEndsAt;
    if (!endsAt) throw new Error('a document time-stamp that cannot be read');
    if (last.kind === 'timestamp' && endsAt <= last.timestampEndsAt) throw stillTheSame(last.timestampEndsAt);
    return { ...(await this.stored(work, pdf)), level, renewAt: renewalTime(endsAt, this.config.evidenceRenewDays) };
  }

  /** Refuses a file that is not the sealed document: its last signature is parsed in this process. */
  private async document({ document_key, document_sha256 }: EvidenceWork): Promise<Buffer> {
    const pdf = await this.objects.get(document_key);
    if (!sha256Of(pdf).equals(document_sha256)) throw new Error('the stored document is not the one that was sealed');
    return pdf;
  }

  private async timestamped({ kind, id, number }: EvidenceWork, pdf: Buffer): Promise<Buffer> {
    const fieldName = `${typeId(kind === 'signature' ? 'sig' : 'env', id)}-${number + 1}`;
    const hole = { kind: 'timestamp' as const, fieldName, signatureBytes: DOCUMENT_TIMESTAMP_ROOM };
    const prepared = await this.pdfs.assemble(pdf, { drawings: [] }, hole);
    return timestampDocument(prepared, (digest) => this.documentSeal.timestamp(digest));
  }

  private async stored({ tenant_id }: EvidenceWork, pdf: Buffer): Promise<Omit<ExtendedDocument, 'level' | 'renewAt'>> {
    const sha256 = sha256Of(pdf);
    // By the deployment's key, whichever key sealed the document: a tenant's may have ended long ago.
    const platformKey = await this.documentSeal.platformKey();
    const signature = await this.documentSeal.detach(platformKey, sha256);
    const key = `documents/${tenant_id}/${sha256.toString('hex')}.pdf`;
    await this.objects.put(key, pdf, { contentType: 'application/pdf' });
    const { keyArn: kmsKeyArn } = platformKey;
    return { sha256, key, size: pdf.length, kmsKeyArn, signature, algorithm: SIGNATURE_ALGORITHM };
  }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** A further time-stamp by the same certificate would not extend how long the document can be verified. */
const stillTheSame = (endsAt: Date) =>
  new EvidenceUnavailable(
    `the time-stamping authority still uses the certificate that ends at ${endsAt.toISOString()}`,
  );
