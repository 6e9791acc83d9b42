import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MemberMails } from '../members/member-mails.ts';
import { memberOf, requireMayAssign } from '../members/members.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { PasskeyList, PasskeyView } from './passkey-view.ts';
import { passkeysOf } from './passkeys.ts';
import { passkeyOf, removePasskey } from './remove-passkey.ts';

/** The passkeys of a member, for those who manage members. */
@Controller('v1/members')
@ApiTags('Members')
export class PasskeysOfMember {
  constructor(
    private readonly database: Database,
    private readonly mails: MemberMails,
  ) {}

  @Get(':id/passkeys')
  @RequireScope('members:write', 'audit:read')
  @ApiOperation({ operationId: 'listPasskeysOfMember', summary: 'List the passkeys of a member' })
  @ApiOkResponse({ type: PasskeyList })
  @ApiProblems('not-found')
  async list(@CurrentPrincipal() { tenant }: Principal, @Param('id') id: string): Promise<PasskeyList> {
    const rows = await this.database.tenant(tenant.id, async (tx) => {
      const member = await memberOf(tx, tenant.id, id);
      return passkeysOf(tx, member.id);
    });
    return { data: rows.map((row) => PasskeyView.of(row)) };
  }

  @Delete(':id/passkeys/:passkey_id')
  @RequireScope('members:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removePasskeyOfMember',
    summary: 'Remove a passkey of a member',
    description:
      'For a device that was lost: sessions that were opened with it end within a second. Only owners remove passkeys of owners.',
  })
  @ApiNoContentResponse({ description: 'The passkey is removed.' })
  @ApiProblems('forbidden', 'not-found')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Param('passkey_id') passkeyId: string,
  ): Promise<void> {
    const { tenant } = principal;
    await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const member = await memberOf(tx, tenant.id, id);
      if (member.role === 'owner') requireMayAssign(principal, 'owner');
      await removePasskey(tx, { principal, origin }, await passkeyOf(tx, member.id, passkeyId));
    });
    this.mails.wake();
  }
}
