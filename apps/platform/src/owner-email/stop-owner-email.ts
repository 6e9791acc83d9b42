import { hashSecret } from '@constancia/auth';
import { ApiPublicProblems, Public } from '@constancia/http';
import { isUuid } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { OwnerEmailChanges } from './owner-email-changes.ts';
import { ProveOwnerEmailBody } from './prove-owner-email.ts';

export class StoppedOwnerEmailView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ enum: ['stopped'] })
  status: 'stopped';
}

const NOT_VALID = 'The token is not valid for this tenant, or the change was already stopped, replaced or made.';

/** POST /tenants/{id}/owner-email/stop: the present owner's address stays. */
@Controller('tenants')
@ApiTags('Tenants')
export class StopOwnerEmail {
  constructor(private readonly changes: OwnerEmailChanges) {}

  @Post(':id/owner-email/stop')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'stopOwnerEmailChange',
    summary: 'Stop a change of the owner’s address',
    description:
      'Public. 5 requests per 15 minutes and IP address. The token comes with the mail to the present address, and works until the new one is ' +
      'proven. 401 when it is not valid, also for an unknown tenant.',
  })
  @ApiParam({ name: 'id', description: 'The `tenant_id`.', schema: { type: 'string' } })
  @ApiOkResponse({ type: StoppedOwnerEmailView })
  @ApiPublicProblems('validation-error', 'unauthorized')
  async handle(@Param('id') id: string, @Body() { token }: ProveOwnerEmailBody): Promise<StoppedOwnerEmailView> {
    const stopped = isUuid(id) && (await this.changes.stop(id.toLowerCase(), hashSecret(token)));
    if (!stopped) throw new Unauthorized(NOT_VALID);
    return { tenant_id: id.toLowerCase(), status: 'stopped' };
  }
}
