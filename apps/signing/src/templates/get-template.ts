import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { TEMPLATE_ID_EXAMPLE, TemplateView } from './template-view.ts';
import { Templates } from './templates.ts';

/** GET /v1/templates/{id} */
@Controller('v1/templates')
@ApiTags('Templates')
export class GetTemplate {
  constructor(private readonly templates: Templates) {}

  @Get(':id')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getTemplate',
    summary: 'Show a template',
    description: 'With its placeholders, and what will make the sealing of requests on it fail.',
  })
  @ApiParam({ name: 'id', example: TEMPLATE_ID_EXAMPLE })
  @ApiOkResponse({ type: TemplateView, description: 'The template.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<TemplateView> {
    return TemplateView.of(await this.templates.find(tenant.id, id));
  }
}
