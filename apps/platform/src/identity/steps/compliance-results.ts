import {
  type ScreeningResult,
  type ScreeningResultMessage,
  STEP_RUN_DONE,
  stepResultContext,
} from '@constancia/contracts';
import type { Database, Tx } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import type { CaseResolutions } from '../reviews/case-resolutions.ts';
import type { SessionSubjects } from '../sessions/session-ports.ts';
import { runById } from '../sessions/step-run.ts';

const AT_ONCE = 4;

type Screened = Extract<ScreeningResult, { outcome: 'screened' }>;

/** What result_sealed of a sarlaft run holds. */
export type SarlaftResult = Omit<Screened, 'outcome'>;

const OUTCOMES = { approve: 'pass', review: 'review', reject: 'reject' } as const;

export interface ComplianceResultParts {
  database: Database;
  subjects: Pick<SessionSubjects, 'find' | 'seal'>;
  queues: Pick<Queues, 'consume' | 'open'>;
  cases: CaseResolutions;
}

/** What the compliance module answers over the queue. An answer may come twice, late, or to a request that is over. */
export class ComplianceResults {
  constructor(private readonly parts: ComplianceResultParts) {}

  start(): void {
    this.parts.queues.consume('screening-result', (message) => this.traced(message), { concurrency: AT_ONCE });
  }

  /** The queue drains its consumers itself. */
  async close(): Promise<void> {}

  private traced(message: ScreeningResultMessage): Promise<void> {
    const result = this.parts.queues.open(message.sealed) as ScreeningResult;
    return withSpan('screening result', { result: result.outcome }, () => this.handle(message, result), {
      parent: message.traceparent ?? null,
    });
  }

  private async handle({ request_id, tenant_id }: ScreeningResultMessage, result: ScreeningResult): Promise<void> {
    const { database, cases } = this.parts;
    switch (result.outcome) {
      case 'screened': {
        const { outcome: _, ...kept } = result;
        const outcome = OUTCOMES[result.decision];
        await this.finish(tenant_id, request_id, { outcome, reason: outcome === 'pass' ? null : 'sarlaft', kept });
        return;
      }
      case 'refused': {
        // Nobody can screen what the request says, so a person has to look; a missing validation is for the tenant to publish.
        const outcome = result.reason === 'invalid_request' ? 'review' : 'error';
        if (await this.finish(tenant_id, request_id, { outcome, reason: result.reason, kept: null })) return;
        return cases.refused(tenant_id, request_id);
      }
      case 'case':
        return cases.learn(tenant_id, result.case_id, result.decision, request_id);
      case 'seeded':
        await database.tenant(tenant_id, (tx) =>
          tx.query('update identity.flow set seed_request = null where tenant_id = $1 and seed_request = $2', [
            tenant_id,
            request_id,
          ]),
        );
        return;
      case 'unavailable':
        return; // asked again until the run's deadline
    }
  }

  /** Ends the run that asked; false: no run did. An answer to a run that is over changes nothing. */
  private finish(
    tenantId: string,
    runId: string,
    answer: { outcome: string; reason: string | null; kept: SarlaftResult | null },
  ): Promise<boolean> {
    return this.parts.database.tenant(tenantId, async (tx) => {
      const run = await runById(tx, runId, 'for update');
      if (run?.step_type !== 'sarlaft') return false;
      if (run.status !== 'queued' && run.status !== 'running') return true;
      const sealed = answer.kept && (await this.sealed(tx, tenantId, run.subject_id, runId, answer.kept));
      await tx.query(
        `update identity.step_run set status = 'done', outcome = $2, reason = $3, result_sealed = $4, engine = 'compliance',
                finished_at = now() where id = $1`,
        [runId, answer.outcome, answer.reason, sealed],
      );
      await tx.query('select pg_notify($1, $2)', [STEP_RUN_DONE, runId]);
      return true;
    });
  }

  private async sealed(
    tx: Tx,
    tenantId: string,
    subjectId: string,
    runId: string,
    result: SarlaftResult,
  ): Promise<Buffer | null> {
    const subject = await this.parts.subjects.find(tx, tenantId, subjectId);
    return this.parts.subjects.seal(tx, subject, stepResultContext(runId), JSON.stringify(result));
  }
}
