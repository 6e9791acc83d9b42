import type { Tx } from '@constancia/persistence';
import { type RunType, StepRun } from './step-run.entity.ts';

/** All runs of a session, in their order: few, and read once per request. */
export function runsOf(tx: Tx, sessionId: string): Promise<StepRun[]> {
  return tx.manager.find(StepRun, { where: { session_id: sessionId }, order: { created_at: 'ASC', attempt: 'ASC' } });
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

/** Whether the work of a run ended well. */
export const isAccepted = ({ effect }: StepRun): boolean => effect === 'accept' || effect === 'flag';

/** The input of the document run that was accepted: its portrait is what a face is compared with. */
export const acceptedDocument = (runs: readonly StepRun[]): { doc_front: string } | undefined =>
  runs.findLast((run) => run.step_type === 'document' && isAccepted(run))?.input as { doc_front: string } | undefined;
