import { shape } from '@constancia/contracts';
import { LedgerReader } from '@constancia/credit-ledger';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';

export class BalanceView {
  @ApiProperty({
    ...shape.signed,
    description: 'Credits that can be spent. Negative after the reversal of a payment whose credits are spent.',
    example: 960,
  })
  available: number;

  @ApiProperty({ ...shape.wide, description: 'Credits set aside for work under way.', example: 0 })
  held: number;
}

/** GET /v1/billing/balance */
@Controller('v1/billing/balance')
@ApiTags('Billing')
export class ShowBalance {
  constructor(private readonly ledger: LedgerReader) {}

  @Get()
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'showBalance',
    summary: 'Show the credit balance',
    description:
      '`available` can be spent; `held` is set aside for work under way and becomes a debit or is released. While `available` is negative, what costs credits is refused (402).',
  })
  @ApiOkResponse({ type: BalanceView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<BalanceView> {
    return this.ledger.balance(tenant.id);
  }
}
