import {
  ApiProblems,
  beforeId,
  CurrentTenant,
  ExternalRef,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { TemplatePage, TemplateView } from './template-view.ts';
import { Templates } from './templates.ts';

export class ListTemplatesQuery extends PageQuery {
  @ExternalRef('Only templates with this reference.')
  external_ref?: string;
}

/** GET /v1/templates: newest first. */
@Controller('v1/templates')
@ApiTags('Templates')
export class ListTemplates {
  constructor(private readonly templates: Templates) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'listTemplates',
    summary: 'List templates, newest first',
    description: 'With their placeholders and warnings.',
  })
  @ApiOkResponse({ type: TemplatePage, description: 'A page of templates.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListTemplatesQuery): Promise<TemplatePage> {
    const rows = await this.templates.list(tenant.id, {
      externalRef: query.external_ref,
      beforeId: beforeId(query),
      limit: query.limit + 1,
    });
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.id]);
    return { data: data.map((row) => TemplateView.of(row)), next_cursor };
  }
}
