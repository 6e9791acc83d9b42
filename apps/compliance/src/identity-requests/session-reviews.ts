import type { SessionReviewMessage, SessionReviewRequest, SessionReviewResult } from '@constancia/contracts';
import { isSamePerson } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Forbidden, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { annotateSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Cases } from '../cases/cases.ts';
import { decided } from '../case-resolutions/decide-case.ts';
import { resolved } from '../case-resolutions/resolution.ts';
import type { Proposal } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { proposalOfAnother, proposerOf } from '../case-resolutions/second-person.ts';
import { isSecondPerson, NOT_A_SECOND_PERSON } from '../settings/second-person.ts';
import { settingsOf } from '../settings/compliance-settings.ts';
import { caseResult, currentTrace } from '../cases/case-notices.ts';

/** Somebody else may change the case in between: then it is looked at again. */
const ATTEMPTS = 3;

type Decide = Extract<SessionReviewRequest, { kind: 'decide' }>;
type CaseDecide = Decide & { case_id: string };

/**
 * People review sessions in the identity module by the rule that holds here: what one decides about a case resolves it, or waits for a
 * second person. A request may come again: the same person's decision that waits already goes on waiting.
 */
@Injectable()
export class SessionReviews {
  constructor(
    private readonly database: Database,
    private readonly cases: Cases,
    private readonly queues: Queues,
  ) {}

  /** Answers by a hint. Throws only what will pass by itself (the store is unavailable): the request is sent again then. */
  async handle({ id, tenant_id, sealed }: SessionReviewMessage): Promise<void> {
    const { queues } = this;
    const result = await this.answer(tenant_id, queues.open(sealed) as SessionReviewRequest);
    annotateSpan({ result: result.outcome });
    queues.hint('session-review-result', { v: 1, id, tenant_id, sealed: queues.seal(result), ...currentTrace() }, id);
  }

  private async answer(tenantId: string, request: SessionReviewRequest): Promise<SessionReviewResult> {
    try {
      if (request.kind === 'state') return standing(await this.cases.find(tenantId, request.case_id));
      const { case_id } = request;
      return case_id === null
        ? await this.withoutCase(tenantId, request)
        : await this.about(tenantId, { ...request, case_id });
    } catch (error) {
      if (error instanceof NotFound) return { outcome: 'refused', detail: 'The compliance module has no such case.' };
      if (error instanceof Forbidden) return { outcome: 'refused', detail: error.detail };
      if (!(error instanceof ValidationError)) throw error;
      const [first] = (error.members.errors ?? []) as { detail: string }[];
      return { outcome: 'refused', detail: first?.detail ?? error.detail };
    }
  }

  /** No case is about the session: no list was hit, so that only the setting `all` asks for a second person. */
  private async withoutCase(
    tenantId: string,
    { decision, actor, by, is_second = false }: Decide,
  ): Promise<SessionReviewResult> {
    const settings = await this.database.tenant(tenantId, (tx) => settingsOf(tx, tenantId));
    if (settings.four_eyes !== 'all') return { outcome: 'decided', decision };
    if (!is_second) return { outcome: 'second_person', decision, actor };
    return isSecondPerson(by, settings)
      ? { outcome: 'decided', decision }
      : { outcome: 'refused', detail: NOT_A_SECOND_PERSON };
  }

  private async about(tenantId: string, request: CaseDecide): Promise<SessionReviewResult> {
    for (let attempt = 1; ; attempt++) {
      const found = await this.cases.find(tenantId, request.case_id);
      const { proposal } = found;
      if (found.status === 'resolved') return standing(found);
      if (proposal && isSamePerson(proposerOf(proposal), request)) return standing(found);
      try {
        if (!proposal) return standing(await this.resolve(tenantId, request));
        if (decisionOf(proposal) === request.decision) return standing(await this.confirm(tenantId, request));
        await this.giveBack(tenantId, request);
      } catch (error) {
        if (!(error instanceof StateConflict)) throw error;
        if (attempt === ATTEMPTS) return { outcome: 'refused', detail: error.detail };
      }
    }
  }

  private async resolve(tenantId: string, { case_id, decision, reason, actor, by }: CaseDecide): Promise<ReviewCase> {
    const request = { tenantId, caseId: case_id, action: 'resolve', actor, by, ifMatch: undefined } as const;
    const resolution = { decision, reason, discriminating_data: [], hits: [] };
    const { found } = await this.cases.change(request, (found, transition, tx) =>
      decided(tx, { found, transition, resolution }, { actor, by, tenantName: '' }),
    );
    return found;
  }

  private async confirm(tenantId: string, { case_id, actor, by }: CaseDecide): Promise<ReviewCase> {
    const request = { tenantId, caseId: case_id, action: 'confirm', actor, by, ifMatch: undefined } as const;
    const { found } = await this.cases.change(request, async (found, _, tx) => {
      const settings = await settingsOf(tx, tenantId);
      const {
        proposed_by,
        proposed_at: __,
        proposer: ___,
        ...resolution
      } = proposalOfAnother(found, request, settings);
      return resolved(tx, found, resolution, { resolvedBy: proposed_by, approvedBy: actor, tenantName: '' });
    });
    return found;
  }

  /** The second person decided otherwise: the first one's decision is returned, and the other one takes its place. */
  private async giveBack(tenantId: string, { case_id, actor, by, reason }: CaseDecide): Promise<void> {
    const request = { tenantId, caseId: case_id, action: 'return', actor, by, ifMatch: undefined } as const;
    await this.cases.change(request, async (found, { to }, tx) => {
      const settings = await settingsOf(tx, tenantId);
      const { decision, proposed_by } = proposalOfAnother(found, request, settings);
      const data = { reason, decision, proposed_by };
      return {
        columns: { status: to, proposal: null },
        events: [{ type: 'resolution_returned', actor, from: found.status, to, data }],
      };
    });
  }
}

function standing(found: ReviewCase): SessionReviewResult {
  const result = caseResult(found);
  if (result.outcome === 'case' && result.decision !== null) return { outcome: 'decided', decision: result.decision };
  const { proposal } = found;
  return proposal
    ? { outcome: 'second_person', decision: decisionOf(proposal), actor: proposal.proposed_by }
    : { outcome: 'open' };
}

const decisionOf = ({ decision }: Pick<Proposal, 'decision'>): 'approve' | 'reject' =>
  decision === 'approve' || decision === 'false_positive' ? 'approve' : 'reject';
