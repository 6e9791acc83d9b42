import { AuditLog } from '@constancia/auth';
import {
  ApiProblems,
  beforeId,
  ClientIp,
  CurrentPrincipal,
  OrderedPageQuery,
  page,
  type Principal,
  RequireScope,
  AnyScope,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, NotFound } from '@constancia/problem-json';
import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MemberSession } from './member-session.entity.ts';
import { MemberSessionPage, MemberSessionView } from './member-view.ts';
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

/** The console sessions of the member who calls. */
@Controller('v1/member-sessions')
@ApiTags('Members')
export class OwnSessions {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listOwnSessions',
    summary: 'List your own console sessions',
    description: 'For members: an API key has no sessions, and gets 403.',
  })
  @ApiOkResponse({ type: MemberSessionPage })
  @ApiProblems('validation-error', 'forbidden')
  list(@CurrentPrincipal() principal: Principal, @Query() query: OrderedPageQuery): Promise<MemberSessionPage> {
    requireMember(principal);
    return this.database.tenant(principal.tenant.id, (tx) => sessionsOf(tx, principal, principal.id, query));
  }

  @Delete(':id')
  @AnyScope()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endOwnSession',
    summary: 'End one of your console sessions',
    description: 'Its member tokens are refused by every host within a second.',
  })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ApiProblems('forbidden', 'not-found')
  async end(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    requireMember(principal);
    await this.database.tenant(principal.tenant.id, (tx) => endSession(tx, principal.id, id));
  }
}

function requireMember({ kind }: Principal): void {
  if (kind !== 'member') throw new Forbidden('Only a member has console sessions: present a member token.');
}

async function sessionsOf(
  tx: Tx,
  principal: Principal,
  memberId: string,
  query: OrderedPageQuery,
): Promise<MemberSessionPage> {
  const rows = await tx.query<MemberSession>(
    `select * from platform.member_session
      where tenant_id = $1 and member_id = $2 and ($3::uuid is null or id ${query.order === 'asc' ? '>' : '<'} $3)
        and expires_at > now() and last_used_at > now() - interval '30 minutes'
      order by id ${query.order} limit $4`,
    [principal.tenant.id, memberId, beforeId(query) ?? null, query.limit + 1],
  );
  const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
  return { data: data.map((row) => MemberSessionView.of(row, principal.sessionId)), next_cursor };
}

async function endSession(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  const uuid = uuidOf('mss', sessionId);
  const { affected } =
    uuid === null ? { affected: 0 } : await tx.manager.delete(MemberSession, { id: uuid, member_id: memberId });
  if (affected !== 1) throw new NotFound('No such session.');
}
