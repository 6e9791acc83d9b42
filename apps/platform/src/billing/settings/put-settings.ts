import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BillingSettings, BillingSettingsBody, BillingSettingsView } from './billing-settings.ts';

/** PUT /v1/billing/settings */
@Controller('v1/billing/settings')
@ApiTags('Billing')
export class PutBillingSettings {
  constructor(private readonly settings: BillingSettings) {}

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putBillingSettings',
    summary: 'Set when the tenant is warned of a low balance',
    description:
      'Replaces both settings. From then on the event `credits.balance.low` is emitted each time that the available credits fall from the ' +
      'threshold or above to below it, whatever made them fall: a debit, a hold or a reversal. Setting a threshold above the present ' +
      'balance emits nothing: the answer says `balance_is_low`.',
  })
  @ApiOkResponse({ type: BillingSettingsView })
  @ApiProblems('validation-error')
  handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: BillingSettingsBody,
    @ClientIp() origin: string,
  ): Promise<BillingSettingsView> {
    return this.settings.put(principal, body, origin);
  }
}
