import { type BatchBody, type BatchOrder, BatchReceiver, type ReadBatch } from '@constancia/batches';
import { RequestsUnderWay } from '@constancia/http';
import { Idempotency, type OnceResult, requestFingerprint } from '@constancia/idempotency';
import { bogotaDay } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { noPublished } from '../screenings/screen.ts';
import { Validation } from '../validations/validation.entity.ts';
import { BATCH_LIMITS, BATCH_TABLES } from './batch-limits.ts';
import { subjectReader } from './batch-rows.ts';
import { ScreeningBatchUploads } from './batch-uploads.ts';

/** Takes batches in whose validation code is published. */
@Injectable()
export class ReceiveBatch {
  private readonly receiver: BatchReceiver;

  constructor(
    private readonly database: Database,
    uploads: ScreeningBatchUploads,
    personal: PersonalData,
    idempotency: Idempotency,
    queues: Queues,
    requests: RequestsUnderWay,
  ) {
    this.receiver = new BatchReceiver(uploads, personal, idempotency, requests, {
      tables: BATCH_TABLES,
      limits: BATCH_LIMITS,
      fingerprintOf,
      hint: () => queues.hint('screening-batch', { v: 1 }, 'screening-batch'),
    });
  }

  async check(body: BatchBody, validationCode: string): Promise<ReadBatch> {
    await this.requirePublished(body.tenantId, validationCode);
    return this.receiver.check(body, { reader: subjectReader(bogotaDay(Date.now())) });
  }

  async accept(order: Omit<BatchOrder, 'own'>, validationCode: string): Promise<OnceResult> {
    await this.requirePublished(order.tenantId, validationCode);
    const own = { validation_code: validationCode };
    return this.receiver.accept({ ...order, own }, { reader: subjectReader(bogotaDay(Date.now())) });
  }

  private async requirePublished(tenantId: string, code: string): Promise<void> {
    const where = { tenant_id: tenantId, code, status: 'published' as const };
    const isPublished = await this.database.tenant(tenantId, (tx) => tx.manager.existsBy(Validation, where));
    if (!isPublished) throw noPublished(code);
  }
}

function fingerprintOf({ type, own, externalRef, metadata }: BatchOrder, sha256: string | undefined): Buffer {
  const given = Object.keys(metadata).length === 0 ? {} : { metadata };
  const body = {
    validationCode: own.validation_code ?? null,
    externalRef: externalRef ?? null,
    ...given,
    sha256: sha256 ?? null,
  };
  return requestFingerprint({ method: 'POST', route: '/v1/screening-batches', contentType: type, body });
}
