import { BatchResultsQuery, RESULT_FILE, RESULT_TYPES, type ResultColumns, resultFile } from '@constancia/batches';
import { ApiProblems, CurrentTenant, FILE_NAME_HEADER, RequireScope, type Tenant } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Headers, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { In } from 'typeorm';
import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import { Envelope } from '../envelope-records/envelope.entity.ts';
import { type EnvelopeBatchRow, ROW_ERRORS, type RowErrorCode } from './envelope-batch-row.entity.ts';
import { EnvelopeBatches } from './envelope-batches.ts';

/** A row of a batch that is done. */
export interface BatchResult {
  row: number;
  external_ref: string | null;
  envelope_id: string | null;
  /** Of the envelope now; null: there is none. */
  status: EnvelopeStatus | null;
  error: RowErrorCode | null;
}

const COLUMNS: ResultColumns<BatchResult> = [
  ['row', ({ row }) => String(row)],
  ['external_ref', ({ external_ref }) => external_ref],
  ['envelope_id', ({ envelope_id }) => envelope_id],
  ['status', ({ status }) => status],
  ['error', ({ error }) => error],
];

/** Rows that are in memory at a time. */
const PAGE = 500;

/** GET /v1/envelope-batches/{id}/results */
@Controller('v1/envelope-batches/:id/results')
@ApiTags('Envelopes')
export class ShowBatchResults {
  constructor(
    private readonly batches: EnvelopeBatches,
    private readonly database: Database,
  ) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getEnvelopeBatchResults',
    summary: 'Get the results of an envelope batch as a file',
    description:
      'The rows that are done, in their order; while the batch is worked on, those so far. Members of a line of NDJSON, and columns of the ' +
      `CSV: ${COLUMNS.map(([column]) => `\`${column}\``).join(', ')}. \`status\` is that of the envelope now. \`error\` says why no envelope was made, and ` +
      `nothing was charged: ${ROW_ERRORS.map((error) => `\`${error}\``).join(' (erased after the batch was accepted), ')} (invited as often as an address ` +
      'may be in 24 hours: send the row again later). Text cells that a spreadsheet would run as a formula begin with an apostrophe.',
  })
  @ApiProduces(...RESULT_TYPES)
  @ApiOkResponse({
    description: 'The results.',
    content: Object.fromEntries(RESULT_TYPES.map((type) => [type, RESULT_FILE])),
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() { format }: BatchResultsQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<StreamableFile> {
    const batch = await this.batches.find(tenant.id, id);
    const results = this.resultsOf(tenant.id, this.batches.doneRows(tenant.id, batch.id, PAGE));
    return resultFile(results, { name: typeId('evb', batch.id), format, accept, columns: COLUMNS });
  }

  private async *resultsOf(tenantId: string, pages: AsyncIterable<EnvelopeBatchRow[]>): AsyncGenerator<BatchResult[]> {
    for await (const rows of pages) {
      const ids = rows.flatMap(({ envelope_id }) => envelope_id ?? []);
      const found = await this.database.tenant(tenantId, (tx) =>
        tx.manager.find(Envelope, { select: { id: true, status: true }, where: { tenant_id: tenantId, id: In(ids) } }),
      );
      const statuses = new Map(found.map(({ id, status }) => [id, status]));
      yield rows.map(({ row_number, envelope_id, external_ref, error }) => ({
        row: row_number,
        external_ref,
        envelope_id: envelope_id && typeId('env', envelope_id),
        status: (envelope_id && statuses.get(envelope_id)) || null,
        error,
      }));
    }
  }
}
