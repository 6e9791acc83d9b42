import { ApiActor, ApiIfMatch, ApiProblems, ETAG_HEADER } from '@constancia/http';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { CaseDetailView } from './case-detail-view.ts';

/** Documents the answer with a case and its timeline. */
export function ApiCaseDetail(description: string, type: Type<CaseDetailView> = CaseDetailView): MethodDecorator {
  return applyDecorators(
    ApiParam({ name: 'id', example: CASE_ID_EXAMPLE }),
    ApiOkResponse({ type, description, headers: ETAG_HEADER }),
  );
}

/** Documents an action on a case: its headers, its answer and what every action may be refused with. */
export function ApiCaseAction(): MethodDecorator {
  return applyDecorators(
    ApiActor(),
    ApiIfMatch('case'),
    ApiCaseDetail('The case as it stands now.'),
    ApiProblems('validation-error', 'bad-request', 'not-found', 'state-conflict', 'conflict'),
  );
}
