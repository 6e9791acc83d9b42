import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  CurrentTenant,
  FILE_NAME_HEADER,
  IsDay,
  MayBeStale,
  preferredType,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Header, Headers, Query, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiProperty, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { csvFile, csvOf, type CsvColumns } from '../csv.ts';
import { GRANULARITIES, type Granularity, MAX_DAYS, usagePeriod } from './usage-period.ts';
import { Usage, type UsageLine } from './usage.ts';

export class UsageQuery {
  @ApiOptional({
    description: 'The first day (America/Bogota). Left out: the first of the month in which the period ends.',
    example: '2026-11-01',
  })
  @IsDay()
  from?: string;

  @ApiOptional({ description: 'The last day (America/Bogota), included. Left out: today.', example: '2026-11-30' })
  @IsDay()
  to?: string;

  @ApiOptional({
    default: 'day',
    description: `Totals per day (at most ${MAX_DAYS.day} days) or per month (at most ${MAX_DAYS.month} days).`,
  })
  @IsIn(GRANULARITIES)
  by: Granularity = 'day';
}

export class UsageLineView implements UsageLine {
  @ApiProperty({
    pattern: '^\\d{4}-\\d{2}(?:-\\d{2})?$',
    maxLength: 10,
    description: 'The day, YYYY-MM-DD, or the month, YYYY-MM, in America/Bogota.',
    example: '2026-11-21',
  })
  period: string;

  @ApiProperty({ ...shape.word, example: 'seal' })
  module: string;

  @ApiProperty({ ...shape.word, description: 'As in GET /v1/billing/prices.', example: 'signature' })
  operation: string;

  @ApiProperty({
    ...shape.wide,
    description: 'How often it was charged: debits, and holds that were spent.',
    example: 12,
  })
  count: number;

  @ApiProperty({ ...shape.wide, description: 'Credits that were charged for these, before refunds.', example: 480 })
  credits: number;

  @ApiProperty({
    ...shape.wide,
    description: 'Credits that were given back in this period, whenever they were charged.',
    example: 40,
  })
  refunded: number;
}

export class UsageReport {
  @ApiProperty({
    ...shape.growing,
    type: [UsageLineView],
    description: 'By period, module and operation. A period without usage has no line.',
  })
  data: UsageLineView[];
}

const COLUMNS: CsvColumns<UsageLine> = {
  period: ({ period }) => period,
  module: ({ module }) => module,
  operation: ({ operation }) => operation,
  count: ({ count }) => count,
  credits: ({ credits }) => credits,
  refunded: ({ refunded }) => refunded,
};

/** GET /v1/billing/usage */
@Controller('v1/billing/usage')
@ApiTags('Billing')
@ApiExtraModels(UsageReport)
export class ShowUsage {
  constructor(private readonly usage: Usage) {}

  @Get()
  @MayBeStale()
  @RequireScope('billing:read')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'showUsage',
    summary: 'Show what was used, by day or month',
    description:
      'Credits per day or month, module and operation, as JSON or, with `Accept: text/csv`, as RFC 4180 CSV with a header line. The sums ' +
      'are those of the ledger’s debits, captures and refunds: a hold counts once it is spent, on that day.',
  })
  @ApiOkResponse({
    description: 'The usage.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(UsageReport) } },
      'text/csv': { schema: { type: 'string', ...shape.text(Number.MAX_SAFE_INTEGER) } },
    },
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Query() query: UsageQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<UsageReport | StreamableFile> {
    const period = usagePeriod(query);
    const data = await this.usage.lines(tenant.id, period, query.by);
    if (preferredType(accept, ['application/json', 'text/csv']) === 'application/json') return { data };
    return csvFile(csvOf(COLUMNS, data), `usage-${period.from}-${period.to}`);
  }
}
