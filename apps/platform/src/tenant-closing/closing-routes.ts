import {
  AnyScope,
  ApiOptional,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  RequireScope,
  type Tenant,
  Trimmed,
  WhileClosing,
} from '@constancia/http';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { ClosingView } from '../tenants/closing-view.ts';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';
import { Closings } from './closings.ts';

export class RequestClosingBody {
  @ApiProperty({ description: 'The `display_name` of the tenant, to be sure.', example: 'Notaría Quinta' })
  @Trimmed()
  @IsString()
  @Length(1, 120)
  confirm_name: string;

  @ApiOptional({ description: 'Why, for Constancia. Put no personal data here.', example: 'Cambiamos de proveedor' })
  @Trimmed()
  @IsString()
  @Length(1, 500)
  reason?: string;
}

/** POST, GET and DELETE /tenants/{id}/closing. */
@Controller('tenants')
@ApiTags('Tenants')
export class ClosingRoutes {
  constructor(private readonly closings: Closings) {}

  @Post(':id/closing')
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'requestClosing',
    summary: 'Close the tenant',
    description:
      'Only an owner who is signed in. In 30 days, at `closes_at`, the tenant is closed for good, unless an owner reconsiders before. Until ' +
      'then it can be read and exported, what was begun is finished, and anything new is refused with 403 `tenant-closing`. Every owner is ' +
      'mailed now, 7 days before the end and at the end. What the end destroys and what the law keeps: docs/guides/tenants.md.',
  })
  @ApiTenantId()
  @ApiAcceptedResponse({ type: ClosingView, description: 'The tenant is being closed.' })
  @ApiProblems('validation-error', 'forbidden', 'not-found', 'state-conflict')
  async request(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Body() body: RequestClosingBody,
  ): Promise<ClosingView> {
    requireOwnTenant(principal.tenant, id);
    const { confirm_name: confirmName, reason = null } = body;
    return ClosingView.of(await this.closings.request({ principal, origin }, { confirmName, reason }));
  }

  @Get(':id/closing')
  @AnyScope()
  @ApiOperation({
    operationId: 'showClosing',
    summary: 'Show the closing of the tenant',
    description: '404 when it is not being closed.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: ClosingView })
  @ApiProblems('not-found')
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ClosingView> {
    requireOwnTenant(tenant, id);
    return ClosingView.of(await this.closings.of(tenant.id));
  }

  @Delete(':id/closing')
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'reconsiderClosing',
    summary: 'Reconsider the closing',
    description: 'Only an owner who is signed in. Everything is as before. 404 when the tenant is not being closed.',
  })
  @ApiTenantId()
  @ApiNoContentResponse({ description: 'The tenant stays.' })
  @ApiProblems('forbidden', 'not-found')
  async reconsider(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
  ): Promise<void> {
    requireOwnTenant(principal.tenant, id);
    await this.closings.reconsider({ principal, origin });
  }
}
