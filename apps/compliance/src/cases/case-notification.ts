import type { Actor } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { notifySecondPersons } from '../settings/notify-second-persons.ts';

/** What an action on a case notifies members of; `assignee`: whom, by name. */
export type CaseNotification =
  { kind: 'case_assigned' | 'case_escalated'; assignee: string | null } | { kind: 'case_awaiting_approval' };

/** Notifies members, in the console and by mail, in the transaction that changes the case: once for the version that it had. */
export async function notifyMembers(
  tx: Tx,
  { id, tenant_id, version }: Pick<ReviewCase, 'id' | 'tenant_id' | 'version'>,
  notification: CaseNotification,
  acting: { actor: string; by: Actor | undefined },
): Promise<void> {
  const occasion = String(version);
  if (notification.kind === 'case_awaiting_approval') {
    const awaited = { kind: notification.kind, tenantId: tenant_id, id, occasion, title: null };
    return notifySecondPersons(tx, awaited, acting);
  }
  const values = [tenant_id, notification.kind, id, occasion, notification.assignee, acting.actor];
  await tx.query('select platform_v1.notify_of_case($1, $2, $3, $4, $5, $6)', values);
}
