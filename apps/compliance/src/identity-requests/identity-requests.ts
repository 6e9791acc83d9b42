import type { ScreeningRequest, ScreeningRequestMessage, ScreeningResult } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { Database, isUniqueViolation } from '@constancia/persistence';
import { KeysUnavailableError } from '@constancia/personal-data';
import { DependencyUnavailable, NotFound, Problem, StateConflict, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { annotateSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Cases } from '../cases/cases.ts';
import { decided } from '../case-resolutions/decide-case.ts';
import { checkedPayload } from '../screenings/checked-payload.ts';
import { Screen } from '../screenings/screen.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';
import { Screenings } from '../screenings/screenings.ts';
import { DEFAULT_CODE } from '../validations/validation-body.ts';
import { caseResult, currentTrace } from '../cases/case-notices.ts';
import { checkedRequest, isAboutCase } from './checked-request.ts';
import { ensureDefault } from './ensure-default.ts';

/** As whom the identity module appears in a case's timeline. */
const ACTOR = 'identity';

/**
 * What the identity module asks over the queue: screens a flow's subject (paid for with the flow) and gives a new tenant its
 * canonical validation. A request that comes again is answered from what was kept; one that gets lost is sent again by who asked.
 */
@Injectable()
export class IdentityRequests {
  constructor(
    private readonly database: Database,
    private readonly screen: Screen,
    private readonly screenings: Screenings,
    private readonly cases: Cases,
    private readonly queues: Queues,
  ) {}

  /** Answers by a hint. Throws only what will pass by itself (the store is unavailable): the request is sent again then. */
  async handle(message: ScreeningRequestMessage): Promise<void> {
    const { queues } = this;
    const { request_id, tenant_id } = message;
    const result = await this.answer(message, queues.open(message.sealed));
    annotateSpan({ result: result.outcome });
    const answer = { v: 1, request_id, tenant_id, sealed: queues.seal(result), ...currentTrace() } as const;
    queues.hint('screening-result', answer, request_id);
  }

  private async answer({ tenant_id, request_id }: ScreeningRequestMessage, opened: unknown): Promise<ScreeningResult> {
    try {
      const request = checkedRequest(opened);
      if (request.kind === 'seed_default') return await this.seed(tenant_id);
      if (request.kind === 'case_state') return caseResult(await this.cases.find(tenant_id, request.case_id));
      if (request.kind === 'resolve_case') return await this.resolve(tenant_id, request);
      return (await this.kept(tenant_id, request_id)) ?? (await this.screened(tenant_id, request_id, request));
    } catch (error) {
      const kept = isUniqueViolation(error, 'screening_request_key') && (await this.kept(tenant_id, request_id));
      if (kept) return kept;
      if (error instanceof NotFound)
        return refused(isAboutCase(opened) ? 'invalid_request' : 'no_published_validation', error);
      if (error instanceof ValidationError) return refused('invalid_request', error);
      if (error instanceof DependencyUnavailable || error instanceof KeysUnavailableError)
        return { outcome: 'unavailable', detail: error.message };
      throw error;
    }
  }

  private async seed(tenantId: string): Promise<ScreeningResult> {
    const { validationId, created } = await this.database.tenant(tenantId, (tx) => ensureDefault(tx, tenantId));
    return { outcome: 'seeded', validation_id: typeId('val', validationId), created };
  }

  /** A decision that a person took about the subject there. One that was taken before stays, and is the answer. */
  private async resolve(
    tenantId: string,
    { case_id, decision, reason, actor }: Extract<ScreeningRequest, { kind: 'resolve_case' }>,
  ): Promise<ScreeningResult> {
    const { cases } = this;
    const request = { tenantId, caseId: case_id, action: 'resolve', actor, by: undefined, ifMatch: undefined } as const;
    const resolution = { decision, reason, discriminating_data: [], hits: [] };
    try {
      const { found } = await cases.change(request, (found, transition, tx) =>
        decided(tx, { found, transition, resolution }, { actor, by: undefined, tenantName: '' }),
      );
      return caseResult(found);
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
      return caseResult(await cases.find(tenantId, case_id));
    }
  }

  private async screened(
    tenantId: string,
    requestId: string,
    request: Extract<ScreeningRequest, { kind: 'screen' }>,
  ): Promise<ScreeningResult> {
    const made = await this.screen.create(tenantId, {
      validationCode: request.validation_code || DEFAULT_CODE,
      subjectRef: request.subject_ref,
      subjectType: request.subject_type,
      payload: checkedPayload(request.payload as Parameters<typeof checkedPayload>[0]),
      trigger: 'identity',
      actor: ACTOR,
      requestId,
    });
    if (!('view' in made)) throw new Error('a request of the identity module has no Idempotency-Key');
    return screenedResult(made.view);
  }

  private async kept(tenantId: string, requestId: string): Promise<ScreeningResult | undefined> {
    const row = await this.screenings.ofRequest(tenantId, requestId);
    return (
      row && screenedResult({ ...row, id: typeId('scr', row.id), case_id: row.case_id && typeId('cas', row.case_id) })
    );
  }
}

/** Of a screening whose identifiers are TypeIDs. */
function screenedResult({
  id,
  case_id,
  decision,
  score,
  list_hits,
}: Pick<ScreeningView, 'id' | 'case_id' | 'decision' | 'score' | 'list_hits'>): ScreeningResult {
  return { outcome: 'screened', screening_id: id, case_id, decision, score, list_hits };
}

function refused(
  reason: Extract<ScreeningResult, { outcome: 'refused' }>['reason'],
  problem: Problem,
): ScreeningResult {
  return { outcome: 'refused', reason, detail: problem.message };
}
