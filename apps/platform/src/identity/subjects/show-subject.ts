import {
  AllowBearerToken,
  ApiProblems,
  CurrentTenant,
  Holder,
  pathUuid,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Unauthorized } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { checkOwn, checkScope, PERSON_TOKEN_PREFIX, type PersonBearer } from './person-bearer.ts';
import { SubjectRecords } from './subject-records.ts';
import { ApiSubjectOk, PersonSubjectView, type SubjectView } from './subject-view.ts';

/** GET /v1/kyc/subjects/{id} */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class ShowSubject {
  constructor(private readonly records: SubjectRecords) {}

  @Get(':id')
  @RequireScope('identity:read')
  @AllowBearerToken(PERSON_TOKEN_PREFIX)
  @ApiParam({ name: 'id', description: 'The `subject_id`.' })
  @ApiOperation({
    operationId: 'showSubject',
    summary: 'Show a subject',
    description:
      'Of an erased one a tombstone is left; under a legal hold its document and name stay until that ends. An access token of a person, ' +
      'with the scope `subject:read`, gets what the person may know, of the subject that is the person; every other one is not found.',
  })
  @ApiSubjectOk()
  @ApiProblems('unauthorized', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant | undefined,
    @Holder() person: PersonBearer | undefined,
    @Param('id') id: string,
  ): Promise<SubjectView | PersonSubjectView> {
    if (tenant !== undefined) return this.records.show(tenant.id, id);
    if (person === undefined) throw new Unauthorized();
    checkScope(person, 'subject:read');
    await checkOwn(person, pathUuid('sub', id), 'evidence');
    return PersonSubjectView.of(await this.records.show(person.tenantId, id));
  }
}
