import {
  AnyScope,
  ApiProblems,
  CurrentPrincipal,
  OrderedPageQuery,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Forbidden } from '@constancia/problem-json';
import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { endSession, sessionsOf } from './member-sessions.ts';
import { MemberSessionPage } from './member-view.ts';

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
  @WhileClosing()
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
