import type { Tx } from '@constancia/persistence';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/** What an action on a case notifies members of; `assignee`: whom, by name. */
export interface CaseNotification {
  kind: 'case_assigned' | 'case_escalated';
  assignee: string | null;
}

/** Notifies members, in the console and by mail, in the transaction that changes the case: once for the version that it had. */
export async function notifyMembers(
  tx: Tx,
  { id, tenant_id, version }: Pick<ReviewCase, 'id' | 'tenant_id' | 'version'>,
  { kind, assignee }: CaseNotification,
  actor: string,
): Promise<void> {
  const values = [tenant_id, kind, id, String(version), assignee, actor];
  await tx.query('select platform_v1.notify_of_case($1, $2, $3, $4, $5, $6)', values);
}
