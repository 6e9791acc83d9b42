import { ApiProblems, CurrentTenant, pathUuid, RequireScope, type Tenant, WhileClosing } from '@constancia/http';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LookUpPayments } from './look-up-payments.ts';
import { TopupView } from './topup-view.ts';
import { Topups } from './topups.ts';

/** GET /v1/billing/topups/{id}, and a look at the provider for those who do not want to wait for its callback. */
@Controller('v1/billing/topups')
@ApiTags('Billing')
export class ShowTopup {
  constructor(
    private readonly topups: Topups,
    private readonly lookUp: LookUpPayments,
  ) {}

  @Get(':id')
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'showTopup',
    summary: 'Show a top-up',
    description: 'Its state, its quote, and what it has brought to the balance.',
  })
  @ApiOkResponse({ type: TopupView })
  @ApiProblems('not-found')
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<TopupView> {
    return TopupView.of(await this.topups.find(tenant.id, pathUuid('top', id)));
  }

  @Post(':id/refresh')
  @HttpCode(200)
  @RequireScope('billing:topup')
  @WhileClosing()
  @ApiOperation({
    operationId: 'refreshTopup',
    summary: 'Ask the provider about a top-up now',
    description:
      'For a payment whose callback is late. At most 6 a minute; a lost callback is found without it, too, within 10 minutes.',
  })
  @ApiOkResponse({ type: TopupView })
  @ApiProblems(
    'not-found',
    'validation-error',
    'bad-request',
    'payload-too-large',
    'unsupported-media-type',
    'payment-provider-unavailable',
  )
  async refresh(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<TopupView> {
    const topup = await this.topups.find(tenant.id, pathUuid('top', id));
    await this.lookUp.ofTopup(tenant.id, topup.id);
    return TopupView.of(await this.topups.find(tenant.id, topup.id));
  }
}
