import { canonicalJson, type Json } from '@constancia/kernel';
import type { Tx } from './tx.ts';

/** Something that an operator did. */
export interface OperatorAct {
  /** `thing.done`, lower case. */
  type: string;
  /** Who, as X-Operator says. */
  operator: string;
  /** Whose matter it was; null when it was nobody's or everybody's. */
  tenantId?: string | null;
  /** What exactly, and why; undefined members are left out. No personal data, no secret: nothing is ever taken out of the log. */
  data: Record<string, Json | undefined>;
}

/**
 * Writes an act into the operators' log (platform_v1.record_act) in the transaction of its effect: both are kept, or neither.
 * Acts wait for each other from here to their commit, so it comes last.
 */
export async function recordAct(tx: Tx, { type, operator, tenantId = null, data }: OperatorAct): Promise<void> {
  await tx.query('select platform_v1.record_act($1, $2, $3, $4)', [type, operator, tenantId, canonicalJson(data)]);
}
