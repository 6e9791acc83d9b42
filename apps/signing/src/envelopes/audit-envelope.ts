import { afterNumber, ApiProblems, CurrentTenant, page, PageQuery, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AuditPage } from './audit-view.ts';
import { ENVELOPE_ID_EXAMPLE } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';

/** GET /v1/envelopes/{id}/audit: everything that happened, link by link of the chain. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class AuditEnvelope {
  constructor(private readonly envelopes: Envelopes) {}

  @Get(':id/audit')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'auditEnvelope',
    summary: 'Show the evidence trail of an envelope',
    description:
      'Oldest first, each event chained to the one before by its hash: one changed event breaks the chain. The certificate of ' +
      'completion in the sealed document prints the head at the last signature. The trail of an envelope that ended years ago may ' +
      'be in an archived file, and is answered from there.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiOkResponse({ type: AuditPage, description: 'A page of the trail.' })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<AuditPage> {
    const events = await this.envelopes.trail(tenant.id, id, {
      afterSeq: afterNumber(query) ?? 0,
      limit: query.limit + 1,
    });
    return page(events, query.limit, ({ seq }) => [seq]);
  }
}
