import type { StepOutcome } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import type { RunType, Verdict } from './outcomes.ts';

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
  created_at: Date;
  deadline_at: Date;
}

/** The run of a session that is not applied yet; at most one. */
export async function openRun(tx: Tx, sessionId: string): Promise<StepRun | undefined> {
  const [row] = await tx.query<StepRun>(
    `select * from identity.step_run where session_id = $1 and status <> 'applied'`,
    [sessionId],
  );
  return row;
}

export async function runById(tx: Tx, id: string, lock = ''): Promise<StepRun | undefined> {
  const [row] = await tx.query<StepRun>(`select * from identity.step_run where id = $1 ${lock}`, [id]);
  return row;
}

/** The number of a session's next run of a kind. */
export async function nextAttempt(tx: Tx, sessionId: string, type: RunType): Promise<number> {
  const [row] = await tx.query<{ next: number }>(
    `select coalesce(max(attempt), 0)::int + 1 as next from identity.step_run where session_id = $1 and step_type = $2`,
    [sessionId, type],
  );
  return row?.next ?? 1;
}

/** The input of the document run that was accepted: its portrait is what a face is compared with. */
export async function acceptedDocument(tx: Tx, sessionId: string): Promise<{ doc_front: string } | undefined> {
  const [row] = await tx.query<{ input: { doc_front: string } }>(
    `select input from identity.step_run
      where session_id = $1 and step_type = 'document' and effect in ('accept', 'flag') order by attempt desc limit 1`,
    [sessionId],
  );
  return row?.input;
}
