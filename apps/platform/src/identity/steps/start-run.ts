import { type DocumentStepInput, type FaceStepInput, PRICE, stepResultContext } from '@constancia/contracts';
import type { CreditLedger } from '@constancia/credit-ledger';
import type { IdempotentRequest } from '@constancia/idempotency';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { referenced, StateConflict } from '@constancia/problem-json';
import { currentTraceparent } from '@constancia/telemetry';
import type { FlowStep } from '../flows/step-types.ts';
import { updateSession } from '../sessions/session-changes.ts';
import type { SessionAssets, SessionSubjects, StoredAsset, SubjectRecord } from '../sessions/session-ports.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { appendTrail } from '../sessions/session-trail.ts';
import { takeChallenge } from './liveness-challenges.ts';
import type { RunType } from '../sessions/step-run.ts';
import { SANDBOX_ENGINE, scripted, type Scripted, scriptedResult } from '../sessions/sandbox-triggers.ts';
import type { ActiveFaceInput, StepInput } from './step-inputs.ts';
import { acceptedDocument, nextAttempt, type StepRun } from '../sessions/step-run.ts';

/** The balance is held for this long at the most: far beyond any run's deadline, so that only what nobody can settle is reaped. */
const HOLD_SECONDS = 24 * 3_600;

export interface StartParts {
  subjects: SessionSubjects;
  assets: SessionAssets;
  ledger: CreditLedger;
  /** Milliseconds until a run that nobody ended counts as an engine error. */
  deadlineMs: number;
}

/** What asks for a run. */
export interface RunRequest {
  inputHash: Buffer;
  idempotency: IdempotentRequest | undefined;
  requestId: string;
  actor: string;
}

type RunInput = Extract<StepInput, { step: 'document_upload' | 'face_match' | 'sarlaft' }>;

const RUN_TYPES = { document_upload: 'document', face_match: 'face', sarlaft: 'sarlaft' } as const;

/** What a run is to do; `ended`: how it ends, when a sandbox trigger says so. */
interface PlannedWork {
  input: DocumentStepInput | FaceStepInput | Record<string, unknown>;
  ended?: Scripted;
}

/**
 * Writes the run of a step and, where it costs, holds its price: both or neither. The session's row must be held, and have no other
 * run under way. Throws NotFound (a stored_uri), StateConflict (a challenge), InsufficientCredits.
 */
export async function startRun(
  tx: Tx,
  parts: StartParts,
  {
    session,
    subject,
    runs,
    step,
    input,
    request,
  }: {
    session: FlowSession;
    subject: SubjectRecord;
    /** Of the session, so far. */
    runs: readonly StepRun[];
    step: FlowStep;
    input: RunInput;
    request: RunRequest;
  },
): Promise<StepRun> {
  const type = RUN_TYPES[input.step];
  const attempt = nextAttempt(runs, type);
  const work = await planned(tx, parts, { session, runs, step, input, attempt });
  const id = uuidv7();
  const run = await insertRun(tx, parts, { id, session, type, attempt, work, request, subject });
  await updateSession(tx, session, { last_outcome: 'processing', last_reason: null });
  await appendTrail(tx, { tenantId: session.tenant_id, sessionId: session.id }, [
    {
      type: 'step_started',
      actor: request.actor,
      step: step.step_type,
      from: session.status,
      to: session.status,
      data: { run_id: typeId('stp', id), attempt },
    },
  ]);
  return type === 'face' ? { ...run, hold_id: await hold(tx, parts, run) } : run;
}

/** The row of a run. One that a sandbox trigger decides is written as it ends: nobody has to work for it. */
async function insertRun(
  tx: Tx,
  { subjects, deadlineMs }: StartParts,
  run: {
    id: string;
    session: FlowSession;
    type: RunType;
    attempt: number;
    work: PlannedWork;
    request: RunRequest;
    subject: SubjectRecord;
  },
): Promise<StepRun> {
  const { id, session, type, attempt, work, request } = run;
  const { ended } = work;
  const result = ended && scriptedResult(type, ended);
  const sealed = result && (await subjects.seal(tx, run.subject, stepResultContext(id), JSON.stringify(result)));
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
      request.idempotency?.key ?? null,
      request.idempotency?.fingerprint ?? null,
      request.requestId,
      deadlineMs,
      ended ? 'done' : 'queued',
      ended?.outcome ?? null,
      ended?.reason ?? null,
      sealed ?? null,
      ended ? SANDBOX_ENGINE : null,
      currentTraceparent() ?? null,
    ],
  );
  return row as StepRun;
}

/** Last before the commit: the balance row stays locked from here on. Answers the hold's id. */
async function hold(tx: Tx, { ledger }: StartParts, { tenant_id, id }: StepRun): Promise<string> {
  const debit = { module: 'identity', refType: 'step_run', refId: id, amount: PRICE.kyc };
  const holdId = await ledger.hold(tx, tenant_id, debit, HOLD_SECONDS);
  await tx.query('update identity.step_run set hold_id = $2 where id = $1', [id, holdId]);
  return holdId;
}

async function planned(
  tx: Tx,
  parts: StartParts,
  {
    session,
    runs,
    step,
    input,
    attempt,
  }: { session: FlowSession; runs: readonly StepRun[]; step: FlowStep; input: RunInput; attempt: number },
): Promise<PlannedWork> {
  if (session.trigger !== null) {
    return { input: { v: 1 }, ended: scripted(session.trigger, RUN_TYPES[input.step], attempt) };
  }
  switch (input.step) {
    case 'document_upload':
      return { input: await documentWork(tx, parts, session, input) };
    case 'face_match':
      return { input: await faceWork(tx, parts, { session, runs, step, input }) };
    case 'sarlaft':
      return {
        input: { v: 1, validation_code: step.step_type === 'sarlaft' ? step.config.validation_code : 'default' },
      };
  }
}

async function documentWork(
  tx: Tx,
  { assets }: StartParts,
  { tenant_id, subject_id, document_type, document_country }: FlowSession,
  { input }: Extract<RunInput, { step: 'document_upload' }>,
): Promise<DocumentStepInput> {
  const picture = (member: string, uri: string) =>
    pictureAt(`/input/${member}`, assets.require(tx, tenant_id, subject_id, uri));
  const front = await picture('doc_front_uri', input.doc_front_uri);
  const back = input.doc_back_uri === undefined ? null : await picture('doc_back_uri', input.doc_back_uri);
  return { v: 1, doc_front: front.id, doc_back: back?.id ?? null, document_type, document_country };
}

async function faceWork(
  tx: Tx,
  { assets }: StartParts,
  {
    session,
    runs,
    step,
    input,
  }: {
    session: FlowSession;
    runs: readonly StepRun[];
    step: FlowStep;
    input: Extract<RunInput, { step: 'face_match' }>;
  },
): Promise<FaceStepInput> {
  const { tenant_id, subject_id } = session;
  const document = acceptedDocument(runs);
  if (!document) throw new StateConflict('The session has no accepted document to compare the face with.');
  const picture = (member: string, uri: string) =>
    pictureAt(`/input/${member}`, assets.require(tx, tenant_id, subject_id, uri));
  const selfie = await picture('selfie_uri', input.input.selfie_uri);
  const base = {
    v: 1,
    reference: document.doc_front,
    selfie: selfie.id,
    thresholds: step.step_type === 'face_match' ? step.config.thresholds : null,
  } as const;
  if (input.mode === 'basic') {
    return { ...base, liveness_mode: 'basic', challenge: null };
  }
  const { challenge_id, frame_uris } = input.input as ActiveFaceInput;
  const frames = [];
  for (const [index, uri] of frame_uris.entries()) frames.push(await picture(`frame_uris/${index}`, uri));
  const challenge = await takeChallenge(tx, session.id, challenge_id, frames);
  return { ...base, liveness_mode: 'active', challenge };
}

function pictureAt(pointer: string, lookup: Promise<StoredAsset>): Promise<StoredAsset> {
  const detail =
    'There is no uploaded picture of this subject with this stored_uri: upload it first, and give its stored_uri.';
  return referenced(pointer, detail, lookup);
}
