import { Readable } from 'node:stream';
import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  CurrentTenant,
  FILE_NAME_HEADER,
  preferredType,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Headers, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Screenings } from '../screenings/screenings.ts';
import type { BatchType } from './batch-file.ts';
import { RESULT_COLUMNS, resultsName, resultsOf, resultsText } from './batch-results.ts';
import { ScreeningBatches } from './screening-batches.ts';

const TYPE_OF = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof TYPE_OF;
/** The first one for clients that accept both. */
const TYPES = [TYPE_OF.ndjson, TYPE_OF.csv] as const;
/** Screenings that are in memory at a time. */
const PAGE = 200;
const FILE = { schema: { type: 'string' as const, ...shape.text(Number.MAX_SAFE_INTEGER) } };

export class BatchResultsQuery {
  @ApiOptional({ description: 'Left out: as the Accept header wants it, else NDJSON.' })
  @IsIn(Object.keys(TYPE_OF))
  format?: Format;
}

/** GET /v1/screening-batches/{id}/results */
@Controller('v1/screening-batches/:id/results')
@ApiTags('Screenings')
export class ShowBatchResults {
  constructor(
    private readonly batches: ScreeningBatches,
    private readonly screenings: Screenings,
  ) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'getScreeningBatchResults',
    summary: 'Get the results of a screening batch as a file',
    description:
      'The rows that are done, in their order; while the batch is worked on, those so far. A line of NDJSON is `{row, screening}`: `screening` ' +
      'as in GET /v1/screenings, null when its subject was erased. Columns of the CSV: ' +
      `${RESULT_COLUMNS.map((column) => `\`${column}\``).join(', ')}; text cells that a spreadsheet would run as a formula begin with an apostrophe.`,
  })
  @ApiProduces(...TYPES)
  @ApiOkResponse({
    description: 'The results.',
    content: Object.fromEntries(TYPES.map((type) => [type, FILE])),
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
    const type: BatchType = format === undefined ? preferredType(accept, TYPES) : TYPE_OF[format];
    const results = resultsOf(this.screenings, tenant.id, this.batches.doneRows(tenant.id, batch.id, PAGE));
    return new StreamableFile(Readable.from(resultsText(type, results)), {
      type: `${type}; charset=utf-8`,
      disposition: `attachment; filename="${resultsName(batch.id, type)}"`,
    });
  }
}
