import { shape } from '@constancia/contracts';
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
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { ReturnOrigins } from './return-origins.ts';

const MAX_ORIGINS = 20;
const ORIGIN_LENGTH = 255;

export class ReturnOriginsBody {
  @ApiProperty({
    example: ['https://app.example.com'],
    type: [String],
    description: 'All of them: the former are replaced.',
  })
  @IsArray()
  @ArrayMaxSize(MAX_ORIGINS)
  @IsString({ each: true })
  @MaxLength(ORIGIN_LENGTH, { each: true })
  origins: string[];
}

export class ReturnOriginsView {
  @ApiProperty({ type: 'array', maxItems: MAX_ORIGINS, items: { type: 'string', ...shape.text(ORIGIN_LENGTH) } })
  origins: string[];
}

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
