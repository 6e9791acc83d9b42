import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EmbedSessionBody } from './embed-session-body.ts';
import { CreatedEmbedSessionView, EmbedSessionView } from './embed-session-view.ts';
import { EmbedSessions } from './embed-sessions.ts';

/** POST /v1/embed/sessions: a page of ours, to be shown in a frame of a tenant's page. */
@Controller('v1/embed/sessions')
@ApiTags('Embedding')
export class CreateEmbedSession {
  constructor(private readonly sessions: EmbedSessions) {}

  @Post()
  @RequireScope('identity:write')
  @ApiOperation({
    operationId: 'createEmbedSession',
    summary: 'Create an embed session',
    description:
      'Your page shows the flow session in a frame: <service-embed session="{embed_url}">, with {base_url}/embed/v1.js. The first frame ' +
      'that opens it has it; for another frame, or after a reload, create another embed session.',
  })
  @ApiCreatedResponse({ type: CreatedEmbedSessionView })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: EmbedSessionBody): Promise<CreatedEmbedSessionView> {
    const { token, embed_url, ...found } = await this.sessions.create(tenant, body);
    return { ...EmbedSessionView.of(found), token, embed_url };
  }
}
