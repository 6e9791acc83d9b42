import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Controller, Delete, Param, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { TEMPLATE_ID_EXAMPLE, TemplateView } from './template-view.ts';
import { Templates } from './templates.ts';

/** DELETE /v1/templates/{id}: deletes a template that was never used, archives any other. */
@Controller('v1/templates')
@ApiTags('Templates')
export class DeleteTemplate {
  constructor(private readonly templates: Templates) {}

  @Delete(':id')
  @RequireScope('signing:write')
  @WhileClosing()
  @ApiOperation({
    operationId: 'deleteTemplate',
    summary: 'Delete or archive a template',
    description:
      'A template on which no signature was ever requested is deleted, and its code can be used again. Any other is archived: new ' +
      'requests on it are refused (409 state-conflict), requests under way are sealed, its documents remain, and its code stays taken.',
  })
  @ApiParam({ name: 'id', example: TEMPLATE_ID_EXAMPLE })
  @ApiOkResponse({ type: TemplateView, description: 'The template was used: it is archived.' })
  @ApiNoContentResponse({ description: 'The template was never used: it is deleted.' })
  @ApiProblems('not-found', 'conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TemplateView | undefined> {
    const archived = await this.templates.remove(principal.tenant.id, id, { principal, origin });
    if (archived) return TemplateView.of(archived);
    reply.status(204);
    return undefined;
  }
}
