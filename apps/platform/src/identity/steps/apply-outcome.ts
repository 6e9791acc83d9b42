import { type StepOutcome, stepResultContext } from '@constancia/contracts';
import { CreditLedger, debitsCounter } from '@constancia/credit-ledger';
import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Metrics, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { moveSession } from '../sessions/move-session.ts';
import { lockSessionOfDoneRun } from '../sessions/session-changes.ts';
import { openContext, type SessionContext, withAnswers } from '../sessions/session-context.ts';
import { settleHold } from '../settle-hold.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { Subjects } from '../subjects/subjects.ts';
import { currentStep, type FlowSession, type SessionColumns } from '../sessions/session-row.ts';
import type { TrailType } from '../sessions/session-trail.ts';
import { problemOfRun, sessionAnswer, storedProblem } from './answers.ts';
import { findingsOf } from './findings.ts';
import { EFFECTS, type Effect, type Move, moveOf } from './outcomes.ts';
import { runById } from '../sessions/step-run.ts';
import type { StepRun, Verdict } from '../sessions/step-run.entity.ts';

export interface AppliedRun {
  /** Its hold was captured by this very call. */
  captured?: boolean;
  run: StepRun;
  session: FlowSession;
  context: SessionContext;
}

const TRAIL_OF: Record<Verdict, TrailType> = {
  accept: 'step_accepted',
  flag: 'step_flagged',
  again: 'step_retry',
  unavailable: 'step_failed',
  refer: 'step_flagged',
  reject: 'step_rejected',
};

/**
 * Turns the outcome of a run into what it means: session, subject, money, trail, events and the stored answer, in one transaction,
 * once, regardless of the caller: the request that waits, or the sweep when there is none any more.
 */
@Injectable()
export class ApplyOutcome {
  private readonly countDebit: (module: string) => void;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly ledger: CreditLedger,
    private readonly answers: IdentityAnswers,
    metrics: Metrics,
  ) {
    this.countDebit = debitsCounter(metrics);
  }

  /** Answers the run as it is applied now; null when it is not done yet. */
  async apply(tenantId: string, runId: string): Promise<AppliedRun | null> {
    const applied = await this.within(tenantId, runId);
    if (applied?.captured) this.countDebit('identity');
    return applied;
  }

  private within(tenantId: string, runId: string): Promise<AppliedRun | null> {
    return this.database.tenant(tenantId, async (tx) => {
      const session = await lockSessionOfDoneRun(tx, tenantId, runId);
      if (!session) return null;
      const run = (await runById(tx, runId, 'for update')) as StepRun;
      const subject = await this.subjects.find(tx, tenantId, session.subject_id);
      if (run.status === 'applied') return { run, session, context: await this.context(tx, session, subject) };
      if (session.status !== 'in_progress') return this.drop(tx, run, session);
      // No matter who waits or sweeps: what comes of a run belongs to the trace that started it.
      return withSpan('apply step', spanFacts(run), () => this.applyEffect(tx, run, session, subject), {
        parent: run.traceparent,
      });
    });
  }

  /** The session has ended meanwhile (its subject was erased, or it was cancelled): nothing is decided, kept or charged. */
  private async drop(tx: Tx, run: StepRun, session: FlowSession): Promise<AppliedRun> {
    await tx.query(
      `update identity.step_run set status = 'applied', effect = 'dropped', result_sealed = null, applied_at = now() where id = $1`,
      [run.id],
    );
    await this.settle(tx, run, 'release');
    return { run: { ...run, status: 'applied', effect: 'dropped', result_sealed: null }, session, context: {} };
  }

  private async applyEffect(tx: Tx, run: StepRun, session: FlowSession, subject: Subject): Promise<AppliedRun> {
    const effect = EFFECTS[run.step_type][run.outcome as StepOutcome];
    const moved = await this.move(tx, { run, session, subject, effect });
    const applied: StepRun = { ...run, status: 'applied', effect: effect.verdict, attempts_left: moved.attemptsLeft };
    await tx.query(
      `update identity.step_run set status = 'applied', effect = $2, attempts_left = $3, applied_at = now() where id = $1`,
      [run.id, applied.effect, applied.attempts_left],
    );
    const context = moved.context ?? (await this.context(tx, moved.session, subject));
    await this.keepAnswer(tx, { run: applied, session: moved.session, context });
    const settled = await this.settle(tx, run, effect.money); // last: the balance row stays locked only until the commit
    return { run: applied, session: moved.session, context, captured: settled && effect.money === 'capture' };
  }

  private async move(
    tx: Tx,
    { run, session, subject, effect }: { run: StepRun; session: FlowSession; subject: Subject; effect: Effect },
  ): Promise<{ session: FlowSession; attemptsLeft: number | null; context: SessionContext | undefined }> {
    const { subjects } = this;
    const step = currentStep(session);
    if (!step) throw new Error('a session in progress stands at a step');
    const used = session.attempts[step.step_type] ?? 0;
    const move = moveOf(
      effect.verdict,
      {
        used,
        maxAttempts: 'max_attempts' in step.config ? step.config.max_attempts : 1,
        lastStep: session.current_step === session.steps.length - 1,
        flagged: session.flags.length > 0,
      },
      run.reason,
    );
    const findings = findingsOf(run.step_type, await this.result(tx, run, subject));
    const done = effect.verdict !== 'again' && effect.verdict !== 'unavailable';
    if (done && Object.keys(findings.learned).length > 0) await subjects.learn(tx, subject, findings.learned);
    const answers = { ...findings.answers, outcome: run.outcome };
    const gathered = done
      ? await withAnswers(tx, subjects, { session, subject, taken: { [step.step_type]: answers } })
      : undefined;
    const moved = await moveSession(tx, subjects, {
      session,
      subject,
      action: move.action,
      actor: 'system',
      by: undefined,
      reason: move.rejectionReason ?? (move.action === 'refer' ? (session.flags[0] ?? run.reason ?? 'review') : null),
      what: { type: TRAIL_OF[effect.verdict], data: trailData(run, effect, move) },
      columns: {
        ...findings.columns,
        ...columnsOf(session, run, move, step.step_type),
        ...gathered?.columns,
      },
    });
    return { session: moved, attemptsLeft: move.attemptsLeft, context: gathered?.context };
  }

  private async result(tx: Tx, run: StepRun, subject: Subject): Promise<unknown> {
    if (run.result_sealed === null) return null;
    const text = await this.subjects.unseal(tx, subject, stepResultContext(run.id), run.result_sealed);
    return text === null ? null : JSON.parse(text);
  }

  private context(tx: Tx, session: FlowSession, subject: Subject): Promise<SessionContext> {
    return openContext(tx, this.subjects, session, subject);
  }

  /** A final answer is kept for the key of the request that started the run, no matter which process sends it. */
  private async keepAnswer(tx: Tx, { run, session, context }: AppliedRun): Promise<void> {
    const { idempotency_key: key, fingerprint, request_id } = run;
    if (key === null || fingerprint === null) return;
    const problem = problemOfRun(run, session);
    const instance = `/v1/flows/sessions/${typeId('fls', session.id)}/advance`;
    const answer = problem
      ? storedProblem(problem, { baseUrl: this.config.apiUrl, instance, requestId: request_id ?? run.id })
      : sessionAnswer(session, context);
    const owner = run.subject_id;
    if (answer) await this.answers.keep(tx, run.tenant_id, { key, fingerprint }, answer, { owner });
  }

  /** Whether there was something to settle, and nobody had. */
  private async settle(tx: Tx, { hold_id }: StepRun, money: Effect['money']): Promise<boolean> {
    if (hold_id === null || money === 'none') return false;
    // False when the reaper released it while every platform process was unavailable: the decision stands, and is not charged.
    return settleHold(tx, this.ledger, hold_id, money);
  }
}

const spanFacts = ({ id, step_type, outcome }: StepRun) => ({
  'run.id': typeId('stp', id),
  'step.type': step_type,
  result: outcome ?? undefined,
});

function trailData(run: StepRun, { money }: Effect, move: Move): Record<string, unknown> {
  return {
    run_id: typeId('stp', run.id),
    outcome: run.outcome,
    reason: run.reason,
    engine: run.engine,
    model_version: run.model_version,
    ...(run.hold_id !== null && { credits: money }),
    ...(move.attemptsLeft !== null && { attempts_left: move.attemptsLeft }),
  };
}

function columnsOf(session: FlowSession, run: StepRun, move: Move, step: string): SessionColumns {
  const flag = move.flags && `${step}:${run.reason ?? 'review'}`;
  return {
    last_outcome: move.lastOutcome,
    last_reason: move.lastOutcome === 'retry' ? run.reason : null,
    ...(move.countsAttempt && { attempts: { ...session.attempts, [step]: (session.attempts[step] ?? 0) + 1 } }),
    ...(flag && { flags: [...session.flags, flag] }),
  };
}
