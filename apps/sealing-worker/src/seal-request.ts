import { createHash } from 'node:crypto';
import { type EventRecord, hintDeliveries } from '@constancia/events';
import { sleep, typeId } from '@constancia/kernel';
import type { PdfPool } from '@constancia/pdf-sealing';
import { DatabaseUnavailable } from '@constancia/problem-json';
import type { Queues } from '@constancia/queue';
import type { ObjectStore } from '@constancia/storage';
import { type Logger, withSpan } from '@constancia/telemetry';
import type { DocumentSeal } from './document-seal.ts';
import { SIGNATURE_ALGORITHM } from './document-signer.ts';
import type { RunResult, SealingMetrics } from './metrics.ts';
import { completedEvent, failedEvent } from './sealing-events.ts';
import type { MemoryRoom } from './memory-room.ts';
import type { ClaimedRequest, Seal, SealingRequests } from './sealing-requests.ts';
import { type Circumstances, failedByUs, killsWorkers, type Setback, setbackOf } from './setback.ts';
import type { TemplateBytes } from './template-bytes.ts';

/** A result that cannot be written now is worth trying again, for about as long as the lease lasts. */
const WRITE_ATTEMPTS = 8;
const WRITE_PAUSE_MS = 2_000;

export interface SealingParts {
  requests: SealingRequests;
  templates: TemplateBytes;
  pdfs: PdfPool;
  /** Bounds the memory of the documents in hand. */
  room: MemoryRoom;
  documentSeal: DocumentSeal;
  objects: ObjectStore;
  queues: Pick<Queues, 'hint'>;
  metrics: SealingMetrics;
  logger: Logger;
  giveUpSeconds: number;
}

/** The sealing run of one claimed request: draws, signs inside and beside the document, stores, and writes what came of it. */
export class SealRequest {
  constructor(private readonly parts: SealingParts) {}

  /** Never rejects: what cannot even be written is left to the next run, when the lease has ended. */
  async run(request: ClaimedRequest): Promise<void> {
    const { metrics, logger } = this.parts;
    try {
      const result = await withSpan('seal', { 'signature.id': request.id }, () => this.carryOut(request), {
        parent: request.traceparent ?? undefined,
      });
      metrics.ended(result);
    } catch (error) {
      logger.error({ ...named(request), error }, 'the result of a sealing run could not be written');
    }
  }

  private async carryOut(request: ClaimedRequest): Promise<RunResult> {
    const circumstances = this.circumstancesOf(request);
    if (killsWorkers({ ...circumstances, stranded: request.stranded, strandings: request.strandings }))
      return this.setBack(request, failedByUs('internal'));
    let seal: Seal;
    try {
      // All of a document that is in memory at a time: the template, the file, and its copy while it comes from the child.
      seal = await this.parts.room.run(3 * request.template_bytes, () => this.seal(request));
    } catch (error) {
      const setback = setbackOf(error, circumstances);
      if (isOurs(setback))
        this.parts.logger.warn({ ...named(request), error }, 'a request could not be sealed this time');
      return this.setBack(request, setback);
    }
    const event = completedEvent(request, seal);
    const ours = await this.parts.metrics.stage('complete', () =>
      this.written(() => this.parts.requests.complete(request, seal, event)),
    );
    if (ours) this.parts.metrics.signed(request.created_at, seal.signedAt);
    return this.told(request, ours, 'signed', event);
  }

  private async seal(request: ClaimedRequest): Promise<Seal> {
    const { templates, pdfs, documentSeal, objects, metrics } = this.parts;
    if (!request.template_sha256) throw new Error('a signature request without its template');
    const { template_sha256, template_key, placeholders, merge_data } = request;
    const template = await metrics.stage('template', () => templates.get(template_sha256, template_key));
    const signatureBytes = await documentSeal.room(); // before the work: without a key there is no seal
    const field = { fieldName: typeId('sig', request.id), signatureBytes, signedAt: new Date().toISOString() };
    const prepared = await metrics.stage('draw', () =>
      pdfs.prepare(template, placeholders, merge_data, field, template_sha256.toString('hex')),
    );
    const pdf = await documentSeal.embed(prepared);
    const sha256 = createHash('sha256').update(pdf).digest();
    const { keyArn, signature } = await documentSeal.detach(sha256);
    const key = `documents/${request.tenant_id}/${sha256.toString('hex')}.pdf`;
    // The file before the row: a signed request always has its document.
    await metrics.stage('store', () => objects.put(key, pdf, { contentType: 'application/pdf' }));
    return {
      sha256,
      key,
      size: pdf.length,
      kmsKeyArn: keyArn,
      signature,
      algorithm: SIGNATURE_ALGORITHM,
      signedAt: new Date(),
    };
  }

  private async setBack(request: ClaimedRequest, setback: Setback): Promise<RunResult> {
    const { requests, metrics } = this.parts;
    if (setback.kind === 'deferred') {
      metrics.deferred(setback.cause);
      const ours = await this.written(() => requests.defer(request, setback.delayMs, setback.cause === 'internal'));
      return ours ? 'deferred' : 'lost';
    }
    const event = failedEvent(request, setback);
    const ours = await this.written(() => requests.fail(request, setback, event));
    return this.told(request, ours, setback.refund ? 'refunded' : 'failed', event);
  }

  private told(request: ClaimedRequest, ours: boolean, result: RunResult, event: EventRecord): RunResult {
    const { queues, logger } = this.parts;
    if (!ours) {
      logger.warn(named(request), 'the lease of a request was lost; another run seals it');
      return 'lost';
    }
    hintDeliveries(queues, [event]);
    return result;
  }

  private async written(write: () => Promise<boolean>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || attempt >= WRITE_ATTEMPTS) throw error;
        await sleep(Math.min(100 * 2 ** attempt, WRITE_PAUSE_MS));
      }
    }
  }

  private circumstancesOf(request: ClaimedRequest): Circumstances {
    return {
      attempts: request.attempts,
      faults: request.faults,
      ageSeconds: (Date.now() - request.created_at.getTime()) / 1_000,
      giveUpSeconds: this.parts.giveUpSeconds,
    };
  }
}

/** Whether somebody here should look at it. */
const isOurs = (setback: Setback) => setback.kind === 'deferred' || setback.refund;

const named = (request: ClaimedRequest) => ({
  signature_id: request.id,
  tenant_id: request.tenant_id,
  attempts: request.attempts,
});
