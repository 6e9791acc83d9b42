import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { SIGNATURE_ID_EXAMPLE, SignatureView } from './signature-view.ts';
import { Signatures } from './signatures.ts';

/** GET /v1/signatures/{id}: polled every 1 to 2 seconds, so it costs one round trip to the store. */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class GetSignature {
  constructor(private readonly signatures: Signatures) {}

  @Get(':id')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getSignature',
    summary: 'Show a signature request',
    description: 'Poll it every 1 to 2 seconds until `status` is `signed` or `failed`, or receive the webhook event.',
  })
  @ApiParam({ name: 'id', example: SIGNATURE_ID_EXAMPLE })
  @ApiOkResponse({ type: SignatureView, description: 'The request as it stands.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<SignatureView> {
    return SignatureView.of(await this.signatures.find(tenant.id, id));
  }
}
