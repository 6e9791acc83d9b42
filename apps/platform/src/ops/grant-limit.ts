import type { Tx } from '@constancia/persistence';

const WINDOW_HOURS = 24;

/**
 * Whether these credits, with those that the operator granted without approval in the past 24 hours, exceed OPS_GRANT_LIMIT: several
 * small grants count as one large one. Until the transaction ends, other grants of the same operator wait.
 */
export async function exceedsGrantLimit(tx: Tx, operator: string, credits: number, limit: number): Promise<boolean> {
  const sql = 'select platform.ops_granted_alone($1, $2)::float8 as credits';
  const [earlier] = await tx.query<{ credits: number }>(sql, [operator, WINDOW_HOURS]);
  return (earlier?.credits ?? 0) + credits > limit;
}
