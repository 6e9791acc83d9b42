import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  pathUuid,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EmbedSessions } from './embed-sessions.ts';

/** DELETE /v1/embed/sessions/{id} */
@Controller('v1/embed/sessions')
@ApiTags('Embedding')
export class RevokeEmbedSession {
  constructor(private readonly sessions: EmbedSessions) {}

  @Delete(':id')
  @RequireScope('identity:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeEmbedSession',
    summary: 'Revoke an embed session',
    description:
      'Its frame loses the session with its next request. The flow session goes on, and can be embedded again.',
  })
  @ApiNoContentResponse({ description: 'The token no longer works.' })
  @ApiProblems('not-found')
  handle(@CurrentPrincipal() principal: Principal, @Param('id') id: string, @ClientIp() origin: string): Promise<void> {
    return this.sessions.revoke(principal, pathUuid('ems', id), origin);
  }
}
