import { type ScreeningResult, STEP_RUN_DONE, stepResultContext } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { Flow } from '../flows/flow.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { runById } from '../sessions/step-run.ts';
import { CaseResolutions } from './case-resolutions.ts';

type Screened = Extract<ScreeningResult, { outcome: 'screened' }>;

/** What result_sealed of a sarlaft run holds. */
export type SarlaftResult = Omit<Screened, 'outcome'>;

const OUTCOMES = { approve: 'pass', review: 'review', reject: 'reject' } as const;

/** What the compliance module answers over the queue. An answer may come twice, late, or to a request that is over. */
@Injectable()
export class ComplianceResults {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly cases: CaseResolutions,
  ) {}

  async record(tenantId: string, requestId: string, result: ScreeningResult): Promise<void> {
    const { database, cases } = this;
    switch (result.outcome) {
      case 'screened': {
        const { outcome: _, ...kept } = result;
        const outcome = OUTCOMES[result.decision];
        await this.finish(tenantId, requestId, { outcome, reason: outcome === 'pass' ? null : 'sarlaft', kept });
        return;
      }
      case 'refused': {
        // Nobody can screen what the request says, so a person has to look; a missing validation is for the tenant to publish.
        const outcome = result.reason === 'invalid_request' ? 'review' : 'error';
        if (await this.finish(tenantId, requestId, { outcome, reason: result.reason, kept: null })) return;
        return cases.refused(tenantId, requestId);
      }
      case 'case':
        return cases.record(tenantId, result.case_id, result.decision, requestId);
      case 'seeded':
        await database.tenant(tenantId, (tx) =>
          tx.manager.update(Flow, { tenant_id: tenantId, seed_request: requestId }, { seed_request: null }),
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
    return this.database.tenant(tenantId, async (tx) => {
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
    const subject = await this.subjects.find(tx, tenantId, subjectId);
    return this.subjects.seal(tx, subject, stepResultContext(runId), JSON.stringify(result));
  }
}
