import { type EventRecord, hintDeliveries } from '@constancia/events';
import { backoffMs, retry } from '@constancia/kernel';
import { documentDigest, PdfPool } from '@constancia/pdf-sealing';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { ObjectStore } from '@constancia/storage';
import { Logger, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SealingConfig } from './config.ts';
import { DocumentSeal } from './document-seal.ts';
import { EvidenceTable, isExtended } from './evidence/evidence-table.ts';
import { SIGNATURE_ALGORITHM } from './document-signer.ts';
import { type RunResult, SealingMetrics } from './metrics.ts';
import { MemoryBudget } from './memory-budget.ts';
import type { Seal, SealingWork } from './sealing-work.ts';
import { failedByUs, killsWorkers, type FailureDecision, decideFailure } from './failure-decision.ts';
import { TemplateBytes } from './template-bytes.ts';

/** A result that cannot be written now is worth trying again, for about as long as the lease lasts. */
const WRITE_ATTEMPTS = 8;
const WRITE_PAUSES = { firstMs: 200, longestMs: 2_000 };

/** The sealing run of one document: draws, signs inside it and detached, stores, and writes what came of it. */
@Injectable()
export class SealingRun {
  constructor(
    private readonly templates: TemplateBytes,
    private readonly pdfs: PdfPool,
    private readonly room: MemoryBudget,
    private readonly documentSeal: DocumentSeal,
    private readonly evidence: EvidenceTable,
    private readonly objects: ObjectStore,
    private readonly queues: Queues,
    private readonly metrics: SealingMetrics,
    private readonly logger: Logger,
    private readonly config: SealingConfig,
  ) {}

  /** Never rejects: what cannot even be written is left to the next run, when the lease has ended. */
  async run(work: SealingWork): Promise<void> {
    const { metrics, logger } = this;
    try {
      const result = await withSpan('seal', { [`${work.kind}.id`]: work.name }, () => this.attempt(work), {
        parent: work.traceparent,
      });
      metrics.ended(work.kind, result);
    } catch (error) {
      logger.error({ ...named(work), error }, 'the result of a sealing run could not be written');
    }
  }

  private async attempt(work: SealingWork): Promise<RunResult> {
    const { room, logger, metrics } = this;
    const { giveUpSeconds } = this.config;
    const ageSeconds = (Date.now() - work.since.getTime()) / 1_000;
    if (killsWorkers({ ...work, ageSeconds, giveUpSeconds })) return this.handleFailure(work, failedByUs('internal'));
    let seal: Seal;
    try {
      // All of a document that is in memory at a time: the template, the file, and its copy while it comes from the child.
      seal = await room.run(3 * work.base.bytes, () => this.seal(work));
    } catch (error) {
      const decision = decideFailure(error, { ...work, ageSeconds });
      if (isOurs(decision)) logger.warn({ ...named(work), error }, 'a document could not be sealed this time');
      return this.handleFailure(work, decision);
    }
    if (isExtended(this.config)) await this.written(() => this.evidence.await(work));
    const event = await metrics.stage('complete', () => this.written(() => work.complete(seal)));
    if (event) metrics.signed(work.kind, work.since, seal.signedAt);
    return this.announce(work, event, 'signed');
  }

  private async seal(work: SealingWork): Promise<Seal> {
    const { templates, pdfs, documentSeal, objects, metrics } = this;
    const { sha256: baseSha256, key: baseKey } = work.base;
    if (!baseSha256) throw new Error('a document without its template');
    const base = await metrics.stage('template', () => templates.get(baseSha256, baseKey));
    const published = await documentSeal.keyOf(work.tenant_id); // before the work: without a key there is no seal
    const field = {
      fieldName: work.name,
      signatureBytes: documentSeal.room(published),
      signedAt: new Date().toISOString(),
    };
    const prepared = await metrics.stage('draw', async () =>
      pdfs.assemble(base, await work.additions(base.bytes, published), field),
    );
    const pdf = await documentSeal.embed(published, prepared);
    const sha256 = documentDigest(prepared);
    const signature = await documentSeal.detach(published, sha256);
    const key = `documents/${work.tenant_id}/${sha256.toString('hex')}.pdf`;
    // The file before the row: what is signed always has its document.
    await metrics.stage('store', () => objects.put(key, pdf, { contentType: 'application/pdf' }));
    return {
      sha256,
      key,
      size: pdf.length,
      kmsKeyArn: published.keyArn,
      signature,
      algorithm: SIGNATURE_ALGORITHM,
      signedAt: new Date(),
      level: documentSeal.level,
    };
  }

  private async handleFailure(work: SealingWork, decision: FailureDecision): Promise<RunResult> {
    if (decision.kind === 'deferred') {
      this.metrics.deferred(work.kind, decision.cause);
      const ours = await this.written(() => work.defer(decision.delayMs, decision.cause));
      return ours ? 'deferred' : this.lost(work);
    }
    const event = await this.written(() => work.fail(decision));
    return this.announce(work, event, decision.refund ? 'refunded' : 'failed');
  }

  private announce(work: SealingWork, event: EventRecord | undefined, result: RunResult): RunResult {
    if (!event) return this.lost(work);
    hintDeliveries(this.queues, [event]);
    return result;
  }

  private lost(work: SealingWork): RunResult {
    this.logger.warn(named(work), 'the lease of a document was lost; another run seals it');
    return 'lost';
  }

  private written<T>(write: () => Promise<T>): Promise<T> {
    return retry(write, {
      pauseMs: (error, attempt) =>
        error instanceof DatabaseUnavailableError && attempt < WRITE_ATTEMPTS ? backoffMs(attempt, WRITE_PAUSES) : null,
    });
  }
}

/** Whether somebody here should look at it. */
const isOurs = (decision: FailureDecision) => decision.kind === 'deferred' || decision.refund;

const named = ({ kind, id, tenant_id, attempts }: SealingWork) => ({ [`${kind}_id`]: id, tenant_id, attempts });
