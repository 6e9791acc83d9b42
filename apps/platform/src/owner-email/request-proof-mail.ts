import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { OwnerNotices } from '../owner-notices/owner-notices.ts';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';

export class ProofMailView {
  @ApiProperty({ enum: ['accepted'] })
  status: 'accepted';
}

/** POST /tenants/{id}/owner-email/proof-mail: another mail with a token, for an owner who has lost the first. */
@Controller('tenants')
@ApiTags('Tenants')
export class RequestProofMail {
  constructor(
    private readonly database: Database,
    private readonly notices: OwnerNotices,
  ) {}

  @Post(':id/owner-email/proof-mail')
  @RequireScope('settings:write')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'requestOwnerProofMail',
    summary: 'Mail the owner another token',
    description:
      'For an address that is not verified yet (else 409). 5 requests per hour and tenant. Tokens of earlier mails keep working until they expire.',
  })
  @ApiTenantId()
  @ApiAcceptedResponse({ type: ProofMailView, description: 'The mail is on its way.' })
  @ApiProblems('not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ProofMailView> {
    requireOwnTenant(tenant, id);
    const [row] = await this.database.query<{ asked: boolean }>('select platform.request_owner_proof($1) as asked', [
      tenant.id,
    ]);
    if (!row?.asked) throw new StateConflict('The address of the owner is verified already.');
    this.notices.wake();
    return { status: 'accepted' };
  }
}
