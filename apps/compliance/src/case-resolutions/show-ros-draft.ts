import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { Cases } from '../cases/cases.ts';
import type { RosDraft } from '../case-records/review-case.ts';
import { RosDraftView } from './ros-draft-view.ts';

/** GET /v1/cases/{id}/ros-draft */
@Controller('v1/cases')
@ApiTags('Cases')
export class ShowRosDraft {
  constructor(private readonly cases: Cases) {}

  @Get(':id/ros-draft')
  @RequireScope('compliance:ros')
  @ApiOperation({
    operationId: 'showRosDraft',
    summary: 'Show the draft of a suspicious operation report (ROS)',
    description:
      'What the service knows already of the report to the UIAF, for the compliance officer to complete and file. There is one ' +
      'once a case was resolved as true_match; 404 otherwise. The report is reserved: nobody outside compliance may learn of it.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiOkResponse({ type: RosDraftView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<RosDraft> {
    const { ros_draft } = await this.cases.find(tenant.id, id);
    if (ros_draft === null) throw new NotFound();
    return ros_draft;
  }
}
