import { hashSecret, OWNER_PROOF_TOKEN } from '@constancia/auth';
import { ApiPublicProblems, Public } from '@constancia/http';
import { isUuid } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Unauthorized } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { requireActive } from '../tenants/tenant-standing.ts';
import { OwnerEmailChanges } from './owner-email-changes.ts';

export class ProveOwnerEmailBody {
  @ApiProperty({ description: 'The token of the mail to the owner.' })
  @IsString()
  @Matches(OWNER_PROOF_TOKEN, { message: 'Send the token of the mail as it is: own_ and 43 letters and digits.' })
  token: string;
}

export class OwnerEmailProofView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ format: 'date-time' })
  owner_email_verified_at: string;
}

const NOT_VALID =
  'The token is not valid for this tenant, was already used, or has expired after 7 days. For another mail: POST /tenants/{id}/owner-email/proof-mail.';

/** POST /tenants/{id}/owner-email/proof: the owner's address is verified. An unknown tenant is answered as a wrong token is. */
@Controller('tenants')
@ApiTags('Tenants')
export class ProveOwnerEmail {
  constructor(
    private readonly database: Database,
    private readonly changes: OwnerEmailChanges,
  ) {}

  @Post(':id/owner-email/proof')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'proveOwnerEmail',
    summary: 'Verify the address of the owner',
    description:
      'Public. 5 requests per 15 minutes and IP address. The token comes with the mail of the sign-up, or with that to another address which an ' +
      'owner asked for; it works once and for 7 days. ' +
      'Mails to signers that waited for it are sent at once. 401 when the token is not valid, also for an unknown tenant. While the tenant is ' +
      'suspended, a valid token is refused and stays unused.',
  })
  @ApiParam({ name: 'id', description: 'The `tenant_id`.', schema: { type: 'string' } })
  @ApiOkResponse({ type: OwnerEmailProofView })
  @ApiPublicProblems('validation-error', 'unauthorized', 'tenant-suspended', 'state-conflict')
  async handle(@Param('id') id: string, @Body() { token }: ProveOwnerEmailBody): Promise<OwnerEmailProofView> {
    const verifiedAt = isUuid(id) ? await this.verify(id.toLowerCase(), hashSecret(token)) : null;
    if (verifiedAt === null) throw new Unauthorized(NOT_VALID);
    return { tenant_id: id.toLowerCase(), owner_email_verified_at: verifiedAt.toISOString() };
  }

  private async verify(tenantId: string, tokenHash: Buffer): Promise<Date | null> {
    const provenAt = await this.database.tenant(tenantId, async (tx) => {
      const sql = 'select platform.use_owner_proof($1, $2) as at';
      const [row] = await tx.query<{ at: Date | null }>(sql, [tenantId, tokenHash]);
      if (row?.at) await requireActive(tx, tenantId);
      return row?.at ?? null;
    });
    return provenAt ?? this.changes.prove(tenantId, tokenHash);
  }
}
