import { shape } from '@constancia/contracts';
import { ApiActor, ApiProblems } from '@constancia/http';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { ApiIfMatch } from '../if-match.ts';
import { CaseDetailView } from './case-detail-view.ts';

const ETAG = {
  ETag: {
    description: 'The version of the case: send it as If-Match with a change.',
    schema: { type: 'string', ...shape.text(66) },
  },
} as const;

/** Documents the answer with a case and its timeline. */
export function ApiCaseDetail(description: string, type: Type<CaseDetailView> = CaseDetailView): MethodDecorator {
  return applyDecorators(
    ApiParam({ name: 'id', example: CASE_ID_EXAMPLE }),
    ApiOkResponse({ type, description, headers: ETAG }),
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
