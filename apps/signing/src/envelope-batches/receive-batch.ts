import { type BatchBody, type BatchOrder, BatchReceiver, type BatchRows, type ReadBatch } from '@constancia/batches';
import { RequestsUnderWay } from '@constancia/http';
import { Idempotency, type OnceResult, requestFingerprint } from '@constancia/idempotency';
import { PersonalData } from '@constancia/personal-data';
import { referenced } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import type { Circuit } from '../circuits/circuit.entity.ts';
import { Circuits } from '../circuits/circuits.ts';
import { SigningConfig } from '../config.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { notPublished } from '../envelope-orders/not-published.ts';
import { accessCodeDigest } from '../envelopes/access-codes.ts';
import { BATCH_LIMITS, BATCH_TABLES } from './batch-limits.ts';
import { OrderReader } from './batch-rows.ts';
import { EnvelopeBatchUploads } from './envelope-batches.ts';
import { RowDrawings } from './row-drawings.ts';

/** Takes batches of published circuits in. */
@Injectable()
export class ReceiveBatch {
  private readonly receiver: BatchReceiver;

  constructor(
    private readonly circuits: Circuits,
    private readonly drawings: RowDrawings,
    private readonly config: SigningConfig,
    uploads: EnvelopeBatchUploads,
    personal: PersonalData,
    idempotency: Idempotency,
    queues: Queues,
    requests: RequestsUnderWay,
  ) {
    this.receiver = new BatchReceiver(uploads, personal, idempotency, requests, {
      tables: BATCH_TABLES,
      limits: BATCH_LIMITS,
      fingerprintOf,
      hint: () => queues.hint('envelope-batch', { v: 1 }, 'envelope-batch'),
    });
  }

  async check(body: BatchBody, circuitId: string): Promise<ReadBatch> {
    return this.receiver.check(body, this.rows(await this.published(body.tenantId, circuitId), body));
  }

  async accept(order: Omit<BatchOrder, 'own'>, circuitId: string): Promise<OnceResult> {
    const circuit = await this.published(order.tenantId, circuitId);
    return this.receiver.accept({ ...order, own: { circuit_id: circuit.id } }, this.rows(circuit, order));
  }

  private async published(tenantId: string, circuitId: string): Promise<Circuit> {
    const unknown = 'There is no circuit with this circuit_id.';
    const circuit = await referenced('/query/circuit_id', unknown, this.circuits.find(tenantId, circuitId));
    if (circuit.status !== 'published') throw notPublished(circuit.status);
    return circuit;
  }

  private rows(circuit: Circuit, { type }: BatchBody): BatchRows<EnvelopeOrder> {
    const { phoneCountryCodes: countries, mailLimits } = this.config;
    const reader = new OrderReader(circuit, type, { countries, mailsPerAddress: mailLimits.perAddress });
    return { reader, onChunk: (rows) => this.drawings.errors(circuit, reader, rows) };
  }
}

/** With a slow digest of the file: the fingerprint is kept, and a file may hold little more than a number or an access code. */
async function fingerprintOf(
  { type, own, externalRef, metadata, key }: BatchOrder,
  sha256: string | undefined,
): Promise<Buffer> {
  const digest = sha256 !== undefined && key !== undefined ? await accessCodeDigest(sha256, key) : null;
  const body = { circuitId: own.circuit_id ?? null, externalRef: externalRef ?? null, metadata, digest };
  return requestFingerprint({ method: 'POST', route: '/v1/envelope-batches', contentType: type, body });
}
