import { ApiProblems, CurrentTenant, RequireScope, type Tenant, WhileClosing } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MemberMails } from './member-mails.ts';
import { MemberView } from './member-view.ts';
import { memberOf } from './members.ts';

/** POST /v1/members/{id}/resend: mails the invitation again, with another link. */
@Controller('v1/members')
@ApiTags('Members')
export class ResendInvitation {
  constructor(
    private readonly database: Database,
    private readonly mails: MemberMails,
  ) {}

  @Post(':id/resend')
  @RequireScope('members:write')
  @WhileClosing()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'resendInvitation',
    summary: 'Mail the invitation again',
    description:
      'With another link, valid for 7 days. At most 10 an hour for a tenant. A member who has joined: 409, unless they ' +
      'joined by single sign-on alone: the link lets them sign in with mailed codes, too.',
  })
  @ApiAcceptedResponse({ type: MemberView })
  @ApiProblems('not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<MemberView> {
    const member = await this.database.tenant(tenant.id, async (tx) => {
      const found = await memberOf(tx, tenant.id, id);
      if (found.status !== 'invited' && !(found.status === 'active' && found.sso_only))
        throw new StateConflict(`The member is ${found.status}: only an invitation is mailed again.`);
      await tx.query('select platform.mail_member($1, $2, $3)', [tenant.id, found.id, 'invitation']);
      return found;
    });
    this.mails.wake();
    return MemberView.of(member);
  }
}
