import { LedgerReader } from '@constancia/credit-ledger';
import {
  afterNumber,
  ApiOptional,
  ApiProblems,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LedgerEntryView, LedgerPage } from './ledger-entry-view.ts';

export class LedgerQuery extends PageQuery {
  @ApiOptional({
    description: 'Entries from this time on: a date-time, or a date (UTC).',
    example: '2026-11-01',
  })
  @IsInstant()
  from?: string;

  @ApiOptional({
    description: 'Entries before this time; a date (UTC) includes that day.',
    example: '2026-11-30',
  })
  @IsInstant()
  to?: string;
}

/** GET /v1/billing/ledger: the statement, newest first. */
@Controller('v1/billing/ledger')
@ApiTags('Billing')
export class ShowLedger {
  constructor(private readonly ledger: LedgerReader) {}

  @Get()
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'showLedger',
    summary: 'List the credit entries, newest first',
    description:
      'Every debit, hold, capture, release, refund, grant, top-up and reversal, with the balance after it. `seq` has no gaps after ' +
      '`archived_through_seq`; of the entries up to it, which are archived in signed files, grants, top-ups and reversals are still listed.',
  })
  @ApiOkResponse({ type: LedgerPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: LedgerQuery): Promise<LedgerPage> {
    const { entries, archive } = await this.ledger.statement(tenant.id, {
      limit: query.limit + 1,
      beforeSeq: afterNumber(query, Number.MAX_SAFE_INTEGER), // a bigint
      from: beginOf(query.from),
      to: endOf(query.to),
    });
    const { data, next_cursor } = page(entries, query.limit, (entry) => [entry.seq]);
    return LedgerPage.of({ data: data.map((entry) => LedgerEntryView.of(entry)), next_cursor }, archive);
  }
}
