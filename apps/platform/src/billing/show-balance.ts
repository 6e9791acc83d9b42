import { LedgerReader } from '@constancia/credit-ledger';
import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BalanceView } from './balance-view.ts';

/** GET /v1/billing/balance */
@Controller('v1/billing/balance')
@ApiTags('Billing')
export class ShowBalance {
  constructor(private readonly ledger: LedgerReader) {}

  @Get()
  @ApiOperation({
    operationId: 'showBalance',
    summary: 'Show the credit balance',
    description: '`available` can be spent; `held` is set aside for work under way and becomes a debit or is released.',
  })
  @ApiOkResponse({ type: BalanceView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<BalanceView> {
    return this.ledger.balance(tenant.id);
  }
}
