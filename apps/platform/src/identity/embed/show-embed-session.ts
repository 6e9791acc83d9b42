import { ApiProblems, CurrentTenant, pathUuid, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EmbedSessionView } from './embed-session-view.ts';
import { EmbedSessions } from './embed-sessions.ts';

/** GET /v1/embed/sessions/{id} */
@Controller('v1/embed/sessions')
@ApiTags('Embedding')
export class ShowEmbedSession {
  constructor(private readonly sessions: EmbedSessions) {}

  @Get(':id')
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showEmbedSession',
    summary: 'Show an embed session',
    description: 'How far it is. The outcome of the flow is that of the flow session, and comes by webhook.',
  })
  @ApiOkResponse({ type: EmbedSessionView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EmbedSessionView> {
    return EmbedSessionView.of(await this.sessions.find(tenant.id, pathUuid('ems', id)));
  }
}
