import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { SCREENING_ID_EXAMPLE } from '../example-ids.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { DatedScreeningView } from './dated-screening-view.ts';
import { Screenings } from './screenings.ts';

/** GET /v1/screenings/{id} */
@Controller('v1/screenings')
@ApiTags('Screenings')
export class GetScreening {
  constructor(
    private readonly screenings: Screenings,
    private readonly ages: ListAges,
  ) {}

  @Get(':id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'getScreening',
    summary: 'Show a screening and what it was made from',
    description:
      'With the payload as it was given, and how old each list was. Nothing is evaluated again: that is what replay is for. ' +
      'An archived one is read from its file.',
  })
  @ApiParam({ name: 'id', example: SCREENING_ID_EXAMPLE })
  @ApiOkResponse({ type: DatedScreeningView, description: 'The screening.' })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<DatedScreeningView> {
    const row = await this.screenings.find(tenant.id, id);
    return DatedScreeningView.ofDated(row, await this.ages.at(tenant.id, row.list_versions, row.created_at));
  }
}
