import { BatchResultsQuery, RESULT_FILE, RESULT_TYPES, resultFile } from '@constancia/batches';
import { ApiProblems, CurrentTenant, FILE_NAME_HEADER, RequireScope, type Tenant } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Controller, Get, Headers, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Screenings } from '../screenings/screenings.ts';
import { RESULT_COLUMNS, resultsOf } from './batch-results.ts';
import { ScreeningBatches } from './screening-batches.ts';

/** Screenings that are in memory at a time. */
const PAGE = 200;

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
      `${RESULT_COLUMNS.map(([column]) => `\`${column}\``).join(', ')}; text cells that a spreadsheet would run as a formula begin with an apostrophe.`,
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
    const results = resultsOf(this.screenings, tenant.id, this.batches.doneRows(tenant.id, batch.id, PAGE));
    return resultFile(results, { name: typeId('scb', batch.id), format, accept, columns: RESULT_COLUMNS });
  }
}
