import type { ScreeningRequest, ScreeningRequestMessage, ScreeningResult } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { type Database, isUniqueViolation } from '@constancia/persistence';
import { DependencyUnavailable, NotFound, Problem, StateConflict, ValidationError } from '@constancia/problem-json';
import type { Queues } from '@constancia/queue';
import { annotateSpan, withSpan } from '@constancia/telemetry';
import type { Cases } from '../cases/cases.ts';
import { decided } from '../cases/decide-case.ts';
import { checkedPayload } from '../screenings/checked-payload.ts';
import type { Screen } from '../screenings/screen.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';
import type { Screenings } from '../screenings/screenings.ts';
import { DEFAULT_CODE } from '../validations/validation-body.ts';
import { caseResult, currentTrace } from '../cases/case-notices.ts';
import { checkedRequest, isAboutCase } from './checked-request.ts';
import { ensureDefault } from './ensure-default.ts';

const AT_ONCE = 4;
/** As whom the identity module appears in a case's timeline. */
const ACTOR = 'identity';

export interface IdentityRequestParts {
  database: Database;
  screen: Pick<Screen, 'create'>;
  screenings: Pick<Screenings, 'ofRequest'>;
  cases: Pick<Cases, 'change' | 'find'>;
  queues: Pick<Queues, 'consume' | 'hint' | 'open' | 'seal'>;
}

/**
 * What the identity module asks over the queue: screens a flow's subject (paid for with the flow) and gives a new tenant its
 * canonical validation. A request that comes again is answered from what was kept; one that gets lost is sent again by who asked.
 */
export class IdentityRequests {
  constructor(private readonly parts: IdentityRequestParts) {}

  start(): void {
    this.parts.queues.consume('screening-request', (message) => this.traced(message), { concurrency: AT_ONCE });
  }

  /** The queue drains its consumers itself. */
  async close(): Promise<void> {}

  private traced(message: ScreeningRequestMessage): Promise<void> {
    const parent = message.traceparent ?? null;
    return withSpan('screening request', {}, () => this.handle(message), { parent });
  }

  private async handle(message: ScreeningRequestMessage): Promise<void> {
    const { queues } = this.parts;
    const { request_id, tenant_id } = message;
    const result = await this.answer(message, queues.open(message.sealed));
    annotateSpan({ result: result.outcome });
    const answer = { v: 1, request_id, tenant_id, sealed: queues.seal(result), ...currentTrace() } as const;
    queues.hint('screening-result', answer, request_id);
  }

  /** Throws only what will pass by itself (the store is away): the request is sent again then. */
  private async answer({ tenant_id, request_id }: ScreeningRequestMessage, opened: unknown): Promise<ScreeningResult> {
    try {
      const request = checkedRequest(opened);
      if (request.kind === 'seed_default') return await this.seed(tenant_id);
      if (request.kind === 'case_state') return caseResult(await this.parts.cases.find(tenant_id, request.case_id));
      if (request.kind === 'resolve_case') return await this.resolve(tenant_id, request);
      return (await this.kept(tenant_id, request_id)) ?? (await this.screened(tenant_id, request_id, request));
    } catch (error) {
      const kept = isUniqueViolation(error, 'screening_request_key') && (await this.kept(tenant_id, request_id));
      if (kept) return kept;
      if (error instanceof NotFound)
        return refused(isAboutCase(opened) ? 'invalid_request' : 'no_published_validation', error);
      if (error instanceof ValidationError) return refused('invalid_request', error);
      if (error instanceof DependencyUnavailable) return { outcome: 'unavailable', detail: error.message };
      throw error;
    }
  }

  private async seed(tenantId: string): Promise<ScreeningResult> {
    const { validationId, created } = await this.parts.database.tenant(tenantId, (tx) => ensureDefault(tx, tenantId));
    return { outcome: 'seeded', validation_id: typeId('val', validationId), created };
  }

  /** A decision that a person took about the subject there. One that is taken already stays, and is told. */
  private async resolve(
    tenantId: string,
    { case_id, decision, reason, actor }: Extract<ScreeningRequest, { kind: 'resolve_case' }>,
  ): Promise<ScreeningResult> {
    const { cases } = this.parts;
    const request = { tenantId, caseId: case_id, action: 'resolve', actor, ifMatch: undefined } as const;
    const resolution = { decision, reason, discriminating_data: [], hits: [] };
    try {
      const { found } = await cases.change(request, (found, transition, tx) =>
        decided(tx, { found, transition, resolution }, { actor, tenantName: '' }),
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
    const made = await this.parts.screen.create(tenantId, {
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
    const row = await this.parts.screenings.ofRequest(tenantId, requestId);
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
