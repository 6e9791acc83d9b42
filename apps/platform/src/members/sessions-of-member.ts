import { AuditLog } from '@constancia/auth';
import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  OrderedPageQuery,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { endSession, sessionsOf } from './member-sessions.ts';
import { MemberSessionPage } from './member-view.ts';
import { memberOf, requireMayAssign } from './members.ts';

/** The console sessions of a member, for those who manage members. */
@Controller('v1/members')
@ApiTags('Members')
export class SessionsOfMember {
  constructor(private readonly database: Database) {}

  @Get(':id/sessions')
  @RequireScope('members:write', 'audit:read')
  @ApiOperation({ operationId: 'listSessionsOfMember', summary: 'List the console sessions of a member' })
  @ApiOkResponse({ type: MemberSessionPage })
  @ApiProblems('validation-error', 'not-found')
  list(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: OrderedPageQuery,
  ): Promise<MemberSessionPage> {
    return this.database.tenant(principal.tenant.id, async (tx) => {
      const member = await memberOf(tx, principal.tenant.id, id);
      return sessionsOf(tx, principal, member.id, query);
    });
  }

  @Delete(':id/sessions/:session_id')
  @RequireScope('members:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endSessionOfMember',
    summary: 'End a console session of a member',
    description: 'Its member tokens are refused by every host within a second. Only owners end the sessions of owners.',
  })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ApiProblems('forbidden', 'not-found')
  async end(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('session_id') sessionId: string,
    @ClientIp() origin: string,
  ): Promise<void> {
    await this.database.tenant(principal.tenant.id, async (tx) => {
      const member = await memberOf(tx, principal.tenant.id, id);
      if (member.role === 'owner') requireMayAssign(principal, 'owner');
      await endSession(tx, member.id, sessionId);
      const object = { kind: 'member_session', id: sessionId };
      await AuditLog.record(tx, { principal, action: 'member.session_ended', object, origin });
    });
  }
}
