import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OriginsBody, OriginsView } from '../../registered-origins/origins-body.ts';
import { ReturnOrigins } from './return-origins.ts';

export class ReturnOriginsBody extends OriginsBody {}
export class ReturnOriginsView extends OriginsView {}

/** /v1/billing/return-origins: where payers may be sent back to. */
@Controller('v1/billing/return-origins')
@ApiTags('Billing')
export class PutReturnOrigins {
  constructor(private readonly origins: ReturnOrigins) {}

  @Get()
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'showReturnOrigins',
    summary: 'Show where payers may return to',
    description: 'The origins that a `return_url` of a top-up may have.',
  })
  @ApiOkResponse({ type: ReturnOriginsView })
  @ApiProblems()
  async show(@CurrentTenant() tenant: Tenant): Promise<ReturnOriginsView> {
    return { origins: await this.origins.list(tenant.id) };
  }

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putReturnOrigins',
    summary: 'Register where payers may return to',
    description: 'Replaces all. Origins are https; a sandbox also takes http://localhost with a port.',
  })
  @ApiOkResponse({ type: ReturnOriginsView })
  @ApiProblems('validation-error', 'bad-request', 'payload-too-large', 'unsupported-media-type')
  async put(
    @CurrentPrincipal() principal: Principal,
    @Body() { origins }: ReturnOriginsBody,
    @ClientIp() origin: string,
  ): Promise<ReturnOriginsView> {
    return { origins: await this.origins.put(principal, origins, origin) };
  }
}
