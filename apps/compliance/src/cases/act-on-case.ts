import { actingOf, type Principal } from '@constancia/http';
import type { FastifyReply } from 'fastify';
import type { CaseAction } from '../case-records/case-states.ts';
import { CaseDetailView } from './case-detail-view.ts';
import type { CaseFile } from './case-files.ts';
import { type CaseRequest, etagOf } from './cases.ts';

/** The headers of a request that an action on a case looks at. */
export interface CaseHeaders {
  'x-actor'?: string;
  'if-match'?: string;
}

/** Who wants to do what, from the parts of a request. */
export function caseRequest(
  principal: Principal,
  caseId: string,
  action: CaseAction,
  headers: CaseHeaders,
): CaseRequest {
  return {
    tenantId: principal.tenant.id,
    caseId,
    action,
    ...actingOf(headers['x-actor'], principal),
    ifMatch: headers['if-match'],
  };
}

/** A case as an answer, with its ETag. */
export function answerWith(file: CaseFile, reply: FastifyReply): CaseDetailView {
  void reply.header('ETag', etagOf(file.found));
  return CaseDetailView.ofFile(file);
}
