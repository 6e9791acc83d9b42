import { createHash } from 'node:crypto';
import type { Acting } from '@constancia/contracts';
import type { IdempotentRequest, StoredResponse } from '@constancia/idempotency';
import { canonicalJson } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { ComplianceRequests } from '../compliance/compliance-requests.ts';
import type { FlowStep } from '../flows/step-types.ts';
import { expireSession, isOver } from '../sessions/expire-session.ts';
import { moveSession } from '../sessions/move-session.ts';
import { lockSessionNoWait, sessionRefusal, sessionRow } from '../sessions/session-changes.ts';
import { openContext, withAnswers } from '../sessions/session-context.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { ConsentEvidence } from '../privacy/consent-evidence.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import { problemOfRun, sessionAnswer } from './answers.ts';
import type { AppliedRun } from './apply-outcome.ts';
import { CONSENT_VERSION, consentText } from '../flows/consent-texts.ts';
import { moveOf } from './outcomes.ts';
import { type Reuse, ReusedIdentity } from './reused-identity.ts';
import { RunWaits } from './run-waits.ts';
import { StartRun } from './start-run.ts';
import { type ConsentInput, stepInput } from './step-inputs.ts';
import { openRun, runsOf } from '../sessions/step-run.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';

/** One call of advance. */
export interface Advance extends Acting {
  tenantId: string;
  /** UUID. */
  sessionId: string;
  input: object;
  idempotency: IdempotentRequest | undefined;
  requestId: string;
  ip: string;
  userAgent: string | null;
}

/** A step that needed no work; `reuse`: what stands for those after it. */
interface AcceptedStep {
  session: FlowSession;
  subject: Subject;
  step: FlowStep;
  answers: Record<string, unknown>;
  reuse?: Reuse | null;
}

/** How a call goes on after its transaction. */
type Begun =
  | { kind: 'answered'; response: StoredResponse; replayed: boolean }
  | { kind: 'expired'; session: FlowSession }
  | { kind: 'running'; run: StepRun; joined: boolean };

/**
 * Carries out the step that a session stands at. What can be done at once is done in one transaction; work is written down as a
 * run, carried out by others, and waited for. Who comes back with the same input joins the run; any other advance meanwhile is 409.
 */
@Injectable()
export class AdvanceSession {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly consents: ConsentEvidence,
    private readonly answers: IdentityAnswers,
    private readonly reused: ReusedIdentity,
    private readonly runs: StartRun,
    private readonly waits: RunWaits,
    private readonly compliance: ComplianceRequests,
    private readonly queues: Queues,
  ) {}

  /**
   * Answers what to send, exactly. Throws the problems that are not final: ValidationError, StateConflict, NotFound,
   * InsufficientCreditsError, KeyReusedError, UnprocessableEntity (try again), DependencyUnavailable.
   */
  async advance(call: Advance): Promise<{ response: StoredResponse; replayed: boolean }> {
    const begun = await this.database.tenant(call.tenantId, (tx) => this.begin(tx, call));
    if (begun.kind === 'answered') return begun;
    if (begun.kind === 'expired') throw sessionRefusal(begun.session, 'advance');
    if (!begun.joined) this.hint(begun.run);
    const applied = await this.waits.until(call.tenantId, begun.run.id, this.config.stepWaitMs);
    return { response: applied ? answerOf(applied) : await this.processing(call), replayed: false };
  }

  private async begin(tx: Tx, call: Advance): Promise<Begun> {
    const { tenantId, idempotency: claim } = call;
    const stored = claim && (await this.answers.claim(tx, tenantId, claim));
    if (stored) return { kind: 'answered', response: stored, replayed: true };
    const session = await lockSessionNoWait(tx, tenantId, call.sessionId);
    const begun = await this.step(tx, call, session);
    const owner = session.subject_id;
    if (claim && begun.kind === 'answered')
      await this.answers.complete(tx, tenantId, claim.key, begun.response, { owner });
    else if (claim) await this.answers.unclaim(tx, tenantId, claim.key);
    return begun;
  }

  private async step(tx: Tx, call: Advance, session: FlowSession): Promise<Begun> {
    const { subjects } = this;
    const step = currentStep(session);
    if (!step) throw sessionRefusal(session, 'advance');
    const inputHash = createHash('sha256')
      .update(canonicalJson([step.step_type, call.input]))
      .digest();
    const runs = await runsOf(tx, session.id);
    const open = openRun(runs);
    if (open) return this.join(tx, call, open, inputHash);
    const subject = await subjects.find(tx, call.tenantId, session.subject_id);
    if (isOver(session)) return { kind: 'expired', session: await expireSession(tx, subjects, session, subject) };
    const input = stepInput(step, call.input, session.document_type);
    if (input.step === 'skip') return this.accepted(tx, call, { session, subject, step, answers: { skipped: true } });
    if (input.step === 'consent') {
      const { reuse_presentation_id: presentation } = input.input;
      const reuse = await this.reused.take(tx, { session, subject, presentation });
      const answers = await this.consent(tx, call, { session, step, input: input.input, reuse });
      const begun = await this.accepted(tx, call, { session, subject, step, answers, reuse });
      if (reuse === null) await this.reused.forgo(tx, session);
      return begun;
    }
    const { idempotency, requestId, actor, by } = call;
    const request = { inputHash, idempotency, requestId, actor, by };
    const run = await this.runs.start(tx, { session, subject, runs, step, input, request });
    return { kind: 'running', run, joined: false };
  }

  /** The same input waits for the work under way; with a key of its own when the run has none. */
  private async join(tx: Tx, { idempotency }: Advance, run: StepRun, inputHash: Buffer): Promise<Begun> {
    if (!run.input_hash.equals(inputHash)) {
      throw new StateConflict('The step is being worked on with another input: wait for its outcome.');
    }
    if (idempotency && run.idempotency_key === null) {
      await tx.query(
        `update identity.step_run set idempotency_key = $2, fingerprint = $3
          where id = $1 and idempotency_key is null and status <> 'applied'`,
        [run.id, idempotency.key, idempotency.fingerprint],
      );
    }
    return { kind: 'running', run, joined: true };
  }

  /** Evidence of the consent: what was read, in which version and language, for what, from where. */
  private async consent(
    tx: Tx,
    { tenantId, ip, userAgent }: Advance,
    { session, step, input, reuse }: { session: FlowSession; step: FlowStep; input: ConsentInput; reuse: Reuse | null },
  ): Promise<Record<string, unknown>> {
    if (input.version !== undefined && input.version !== CONSENT_VERSION) {
      throw new StateConflict(`The consent text is version ${CONSENT_VERSION} now: show that one.`, {
        consent_version: CONSENT_VERSION,
      });
    }
    const { version, locale, sha256 } = consentText(input.locale ?? 'es-CO');
    const purposes = step.step_type === 'consent' ? step.config.purposes : [];
    const sensitiveData = reuse === null && session.steps.some(({ step_type }) => step_type === 'face_match');
    const consent = {
      ...{ session_id: session.id, subject_id: session.subject_id, locale, purposes },
      ...{ text_version: version, text_sha256: Buffer.from(sha256, 'hex'), sensitive_data: sensitiveData },
    };
    await this.consents.record(tx, tenantId, consent, { ip, userAgent });
    return { accepted: true, version, locale, sha256, purposes, accepted_at: new Date().toISOString() };
  }

  /** A step that needs no work is done. */
  private async accepted(
    tx: Tx,
    call: Advance,
    { session, subject, step, answers, reuse = null }: AcceptedStep,
  ): Promise<Begun> {
    const { subjects } = this;
    const passes = 1 + (reuse?.steps.length ?? 0);
    const lastStep = (session.current_step ?? 0) + passes >= session.steps.length;
    const move = moveOf('accept', { used: 0, maxAttempts: 1, lastStep, flagged: session.flags.length > 0 }, null);
    const taken = { [step.step_type]: answers, ...reuse?.answers };
    const { context, columns } = await withAnswers(tx, subjects, { session, subject, taken });
    const moved = await moveSession(tx, subjects, {
      session,
      subject,
      action: move.action,
      actor: call.actor,
      by: call.by,
      reason: session.flags[0] ?? null,
      what: whatOf(step, answers, reuse),
      columns: { last_outcome: move.lastOutcome, last_reason: null, ...columns, ...reuse?.columns },
      passes,
    });
    return { kind: 'answered', response: sessionAnswer(moved, context), replayed: false };
  }

  /** Both may be lost: sweeps find the run. */
  private hint(run: StepRun): void {
    if (run.status === 'done') return;
    if (run.step_type === 'sarlaft') this.compliance.wake();
    else this.queues.hint('step-run', { v: 1, run_id: run.id }, run.id);
  }

  private processing({ tenantId, sessionId }: Advance): Promise<StoredResponse> {
    const { database, subjects } = this;
    return database.tenant(tenantId, async (tx) => {
      const session = await sessionRow(tx, tenantId, sessionId);
      const subject = await subjects.find(tx, tenantId, session.subject_id);
      return sessionAnswer(session, await openContext(tx, subjects, session, subject));
    });
  }
}

function whatOf(step: FlowStep, answers: Record<string, unknown>, reuse: Reuse | null) {
  if (answers.skipped === true) return { type: 'step_skipped', data: {} } as const;
  const { version, locale, sha256, purposes } = answers;
  const data = { version, locale, sha256, purposes, step: step.step_type, ...(reuse && { reuse: reuse.evidence }) };
  return { type: 'consent_given', data } as const;
}

/** Throws what is not final. */
function answerOf({ run, session, context }: AppliedRun): StoredResponse {
  const problem = problemOfRun(run, session);
  if (problem) throw problem;
  return sessionAnswer(session, context);
}
