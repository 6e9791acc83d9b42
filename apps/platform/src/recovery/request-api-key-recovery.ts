import { ApiPublicProblems, Public } from '@constancia/http';
import { isUuid, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { emailDigest } from './email-digest.ts';
import { RecoveryMails } from './send-recovery-mails.ts';

export class RequestApiKeyRecoveryBody {
  @ApiProperty({ description: 'The address that the tenant was signed up with.' })
  @IsEmail({ blacklisted_chars: '"' })
  @MaxLength(254)
  owner_email: string;
}

export class RecoveryRequestView {
  @ApiProperty({ enum: ['accepted'] })
  status: 'accepted';
}

/** What a malformed tenant id stands for: a tenant that cannot exist. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * POST /tenants/{id}/api-key-recovery: a mail with a one-use token, if the address is the owner's. Answers the same, after the
 * same work, for a true claim, a false one and an unknown tenant: the claim is examined later, by RecoveryMails.
 */
@Controller('tenants')
@ApiTags('Tenants')
export class RequestApiKeyRecovery {
  constructor(
    private readonly database: Database,
    private readonly mails: RecoveryMails,
  ) {}

  @Post(':id/api-key-recovery')
  @Public()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'requestApiKeyRecovery',
    summary: 'Ask for a key recovery mail',
    description:
      'Public. 5 requests per 15 minutes and IP address. Always 202, whether or not tenant and address belong together. If they ' +
      'do, the owner is mailed a token that is valid for one hour and one use: `POST /tenants/{id}/rotate-api-key` with ' +
      '`Authorization: Bearer <token>`.',
  })
  @ApiParam({ name: 'id', description: 'The `tenant_id`.', schema: { type: 'string' } })
  @ApiAcceptedResponse({ type: RecoveryRequestView })
  @ApiPublicProblems('validation-error')
  async handle(@Param('id') id: string, @Body() body: RequestApiKeyRecoveryBody): Promise<RecoveryRequestView> {
    await this.database.query('select platform.request_recovery($1, $2, $3)', [
      uuidv7(),
      isUuid(id) ? id : NOBODY,
      emailDigest(body.owner_email),
    ]);
    this.mails.wake();
    return { status: 'accepted' };
  }
}
