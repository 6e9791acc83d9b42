import {
  type Acting,
  type DocumentStepInput,
  type FaceStepInput,
  PRICE,
  stepResultContext,
} from '@constancia/contracts';
import { CreditLedger } from '@constancia/credit-ledger';
import type { IdempotentRequest } from '@constancia/idempotency';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { referenced, StateConflict } from '@constancia/problem-json';
import { currentTraceparent } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import type { FlowStep } from '../flows/step-types.ts';
import { updateSession } from '../sessions/session-changes.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { Assets, type StoredAsset } from '../uploads/assets.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { appendTrail } from '../sessions/session-trail.ts';
import { takeChallenge, takeNonce } from './liveness-challenges.ts';
import type { RunType, StepRun } from '../sessions/step-run.entity.ts';
import { SANDBOX_ENGINE, scripted, type Scripted, scriptedResult } from '../sessions/sandbox-triggers.ts';
import type { ActiveFaceInput, BasicFaceInput, StepInput } from './step-inputs.ts';
import { acceptedDocument, nextAttempt } from '../sessions/step-run.ts';

/** The balance is held for this long at most: far beyond any run's deadline, so that only what nobody can settle is reaped. */
const HOLD_SECONDS = 24 * 3_600;

/** What asks for a run. */
export interface RunRequest extends Acting {
  inputHash: Buffer;
  idempotency: IdempotentRequest | undefined;
  requestId: string;
}

/** A step that begins. The session's row is held. */
interface StepStart {
  session: FlowSession;
  subject: Subject;
  /** Of the session, so far. */
  runs: readonly StepRun[];
  step: FlowStep;
  input: RunInput;
  request: RunRequest;
}

type RunInput = Extract<StepInput, { step: 'document_upload' | 'face_match' | 'sarlaft' }>;

const RUN_TYPES = { document_upload: 'document', face_match: 'face', sarlaft: 'sarlaft' } as const;

/** What a run is to do; `ended`: how it ends, when a sandbox trigger says so. */
interface PlannedWork {
  input: DocumentStepInput | FaceStepInput | Record<string, unknown>;
  ended?: Scripted;
}

/** Starts the work of a step. */
@Injectable()
export class StartRun {
  constructor(
    private readonly config: PlatformConfig,
    private readonly subjects: Subjects,
    private readonly assets: Assets,
    private readonly ledger: CreditLedger,
  ) {}

  /**
   * Writes the run of a step and, where it costs, holds its price: both or neither. The session's row must be held, and have no other
   * run under way. Throws NotFound (a stored_uri), StateConflict (a challenge), InsufficientCreditsError.
   */
  async start(tx: Tx, start: StepStart): Promise<StepRun> {
    const { session, step, request } = start;
    const type = RUN_TYPES[start.input.step];
    const attempt = nextAttempt(start.runs, type);
    const work = await this.planned(tx, start, attempt);
    const id = uuidv7();
    const run = await this.insert(tx, start, { id, type, attempt, work });
    await updateSession(tx, session, { last_outcome: 'processing', last_reason: null });
    await appendTrail(tx, { tenantId: session.tenant_id, sessionId: session.id }, [
      {
        type: 'step_started',
        actor: request.actor,
        step: step.step_type,
        from: session.status,
        to: session.status,
        data: { run_id: typeId('stp', id), attempt, by: request.by },
      },
    ]);
    return type === 'face' ? { ...run, hold_id: await this.hold(tx, run) } : run;
  }

  /** The row of a run. One that a sandbox trigger decides is written as it ends: nobody has to work for it. */
  private async insert(
    tx: Tx,
    { session, subject, request }: StepStart,
    { id, type, attempt, work }: { id: string; type: RunType; attempt: number; work: PlannedWork },
  ): Promise<StepRun> {
    const { ended } = work;
    const result = ended && scriptedResult(type, ended);
    const sealed = result && (await this.subjects.seal(tx, subject, stepResultContext(id), JSON.stringify(result)));
    const [row] = await tx.query<StepRun>(
      `insert into identity.step_run (id, tenant_id, session_id, subject_id, step_type, attempt, input_hash, input,
              idempotency_key, fingerprint, request_id, deadline_at, status, outcome, reason, result_sealed, engine, started_at,
              finished_at, traceparent)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12 / 1000.0), $13::text, $14, $15, $16, $17,
              case $13::text when 'done' then now() end, case $13::text when 'done' then now() end, $18)
       returning *`,
      [
        id,
        session.tenant_id,
        session.id,
        session.subject_id,
        type,
        attempt,
        request.inputHash,
        JSON.stringify(work.input),
        request.idempotency?.key,
        request.idempotency?.fingerprint,
        request.requestId,
        this.config.stepDeadlineMs,
        ended ? 'done' : 'queued',
        ended?.outcome,
        ended?.reason,
        sealed,
        ended && SANDBOX_ENGINE,
        currentTraceparent(),
      ],
    );
    return row as StepRun;
  }

  /** Last before the commit: the balance row stays locked from here on. Answers the hold's id. */
  private async hold(tx: Tx, { tenant_id, id }: StepRun): Promise<string> {
    const debit = { module: 'identity', refType: 'step_run', refId: id, amount: PRICE.kyc };
    const holdId = await this.ledger.hold(tx, tenant_id, debit, HOLD_SECONDS);
    await tx.query('update identity.step_run set hold_id = $2 where id = $1', [id, holdId]);
    return holdId;
  }

  private async planned(tx: Tx, start: StepStart, attempt: number): Promise<PlannedWork> {
    const { session, step, input } = start;
    if (session.trigger !== null) {
      return { input: { v: 1 }, ended: scripted(session.trigger, RUN_TYPES[input.step], attempt) };
    }
    switch (input.step) {
      case 'document_upload':
        return { input: await this.documentWork(tx, session, input) };
      case 'face_match':
        return { input: await this.faceWork(tx, start, input) };
      case 'sarlaft':
        return {
          input: { v: 1, validation_code: step.step_type === 'sarlaft' ? step.config.validation_code : 'default' },
        };
    }
  }

  private async documentWork(
    tx: Tx,
    { tenant_id, subject_id, document_type, document_country }: FlowSession,
    { input }: Extract<RunInput, { step: 'document_upload' }>,
  ): Promise<DocumentStepInput> {
    const picture = (member: string, uri: string) =>
      pictureAt(`/input/${member}`, this.assets.require(tx, tenant_id, subject_id, uri));
    const front = await picture('doc_front_uri', input.doc_front_uri);
    const back = input.doc_back_uri === undefined ? null : await picture('doc_back_uri', input.doc_back_uri);
    return { v: 1, doc_front: front.id, doc_back: back?.id ?? null, document_type, document_country };
  }

  private async faceWork(
    tx: Tx,
    { session, runs, step }: StepStart,
    { input, mode }: Extract<RunInput, { step: 'face_match' }>,
  ): Promise<FaceStepInput> {
    const { tenant_id, subject_id } = session;
    const document = acceptedDocument(runs);
    if (!document) throw new StateConflict('The session has no accepted document to compare the face with.');
    const picture = (member: string, uri: string) =>
      pictureAt(`/input/${member}`, this.assets.require(tx, tenant_id, subject_id, uri));
    const selfie = await picture('selfie_uri', input.selfie_uri);
    const base = {
      v: 1,
      reference: document.doc_front,
      selfie: selfie.id,
      thresholds: step.step_type === 'face_match' ? step.config.thresholds : null,
      passive_liveness: (step.step_type === 'face_match' && step.config.passive_liveness) || 'signal',
    } as const;
    const pictures = async (member: string, uris: readonly string[]) => {
      const found: StoredAsset[] = [];
      for (const [index, uri] of uris.entries()) found.push(await picture(`${member}/${index}`, uri));
      return found;
    };
    if (mode === 'basic') {
      const { frames = [], nonce } = input as BasicFaceInput;
      const passive =
        nonce === undefined ? null : await takeNonce(tx, session.id, nonce, await pictures('frames', frames));
      return { ...base, liveness_mode: 'basic', challenge: null, passive };
    }
    const { challenge_id, frame_uris } = input as ActiveFaceInput;
    const challenge = await takeChallenge(tx, session.id, challenge_id, await pictures('frame_uris', frame_uris));
    return { ...base, liveness_mode: 'active', challenge };
  }
}

function pictureAt(pointer: string, lookup: Promise<StoredAsset>): Promise<StoredAsset> {
  const detail =
    'There is no uploaded picture of this subject with this stored_uri: upload it first, and give its stored_uri.';
  return referenced(pointer, detail, lookup);
}
