import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { SubjectRecords } from './subject-records.ts';
import { SubjectView } from './subject-view.ts';

/** GET /v1/kyc/subjects/{id} */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class ShowSubject {
  constructor(private readonly records: SubjectRecords) {}

  @Get(':id')
  @RequireScope('identity:read')
  @ApiParam({ name: 'id', description: 'The `subject_id`.' })
  @ApiOperation({
    operationId: 'showSubject',
    summary: 'Show a subject',
    description: 'Of an erased one a tombstone is left; under a legal hold its document and name stay until that ends.',
  })
  @ApiOkResponse({ type: SubjectView })
  @ApiProblems('not-found', 'dependency-unavailable')
  handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<SubjectView> {
    return this.records.show(tenant.id, id);
  }
}
