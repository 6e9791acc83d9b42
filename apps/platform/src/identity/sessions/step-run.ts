import type { StepOutcome } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';

/** step_run.step_type: the work of document_upload, face_match and sarlaft. */
export type RunType = 'document' | 'face' | 'sarlaft';

/**
 * What an outcome does.
 * - accept: the step is done. flag: so it is, and the session ends with a person's review.
 * - again: may be tried again and uses up an attempt; the last one rejects.
 * - unavailable: our own engine or a service failed; nothing is used up.
 * - refer: a person decides now. reject: the subject is rejected.
 */
export type Verdict = 'accept' | 'flag' | 'again' | 'unavailable' | 'refer' | 'reject';

/** A row of identity.step_run. Ids are UUIDs. */
export interface StepRun {
  id: string;
  tenant_id: string;
  session_id: string;
  subject_id: string;
  step_type: RunType;
  attempt: number;
  input_hash: Buffer;
  input: Record<string, unknown>;
  status: 'queued' | 'running' | 'done' | 'applied';
  hold_id: string | null;
  engine: string | null;
  model_version: string | null;
  outcome: StepOutcome | null;
  reason: string | null;
  result_sealed: Buffer | null;
  /** What became of it, once applied; dropped: its session had ended meanwhile. */
  effect: Verdict | 'dropped' | null;
  attempts_left: number | null;
  idempotency_key: string | null;
  fingerprint: Buffer | null;
  request_id: string | null;
  /** Of the request that started it. */
  traceparent: string | null;
  created_at: Date;
  deadline_at: Date;
}

/** All runs of a session, in their order: few, and read once per request. */
export function runsOf(tx: Tx, sessionId: string): Promise<StepRun[]> {
  return tx.query<StepRun>('select * from identity.step_run where session_id = $1 order by created_at, attempt', [
    sessionId,
  ]);
}

export async function runById(tx: Tx, id: string, lock = ''): Promise<StepRun | undefined> {
  const [row] = await tx.query<StepRun>(`select * from identity.step_run where id = $1 ${lock}`, [id]);
  return row;
}

/** The run that is not applied yet; at most one. */
export const openRun = (runs: readonly StepRun[]): StepRun | undefined =>
  runs.find(({ status }) => status !== 'applied');

/** The number of the next run of a kind. */
export const nextAttempt = (runs: readonly StepRun[], type: RunType): number =>
  Math.max(0, ...runs.filter(({ step_type }) => step_type === type).map(({ attempt }) => attempt)) + 1;

/** The input of the document run that was accepted: its portrait is what a face is compared with. */
export const acceptedDocument = (runs: readonly StepRun[]): { doc_front: string } | undefined =>
  runs.findLast(({ step_type, effect }) => step_type === 'document' && (effect === 'accept' || effect === 'flag'))
    ?.input as { doc_front: string } | undefined;
