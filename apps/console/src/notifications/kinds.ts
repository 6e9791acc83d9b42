import type { Scope } from '@constancia/contracts/scopes';
import type { components } from '@constancia/sdk/generated/platform';
import type { LinkProps } from '@tanstack/react-router';

export type Notification = components['schemas']['NotificationView'];
export type NotificationKind = Notification['kind'];

/** What each kind asks of a member: who lacks the scope is never told. */
export const KIND_SCOPES: Readonly<Record<NotificationKind, Scope>> = {
  case_assigned: 'compliance:cases',
  case_escalated: 'compliance:approve',
  case_awaiting_approval: 'compliance:approve',
  case_due_soon: 'compliance:cases',
  case_overdue: 'compliance:cases',
  rules_awaiting_publication: 'compliance:rules',
  session_awaiting_approval: 'identity:review',
  endpoint_disabled: 'webhooks:write',
  balance_low: 'billing:topup',
  certificate_ends: 'settings:write',
  envelope_completed: 'signing:write',
  envelope_declined: 'signing:write',
  envelope_expired: 'signing:write',
  envelope_failed: 'signing:write',
  envelope_code_undelivered: 'signing:write',
};

/** The page where it is resolved. */
export function pageOf({
  kind,
  case_id,
  validation_id,
  session_id,
  envelope_id,
}: Pick<Notification, 'kind' | 'case_id' | 'validation_id' | 'session_id' | 'envelope_id'>): Pick<
  LinkProps,
  'to' | 'params'
> {
  if (case_id !== null) return { to: '/cases/$id', params: { id: case_id } };
  if (validation_id !== null) return { to: '/rules/$id', params: { id: validation_id } };
  if (session_id !== null) return { to: '/identity/reviews/$id', params: { id: session_id } };
  if (kind === 'certificate_ends') return { to: '/settings/sealing' };
  if (envelope_id !== null) return { to: '/signing/envelopes/$id', params: { id: envelope_id } };
  return { to: kind === 'endpoint_disabled' ? '/developers/endpoints' : '/money' };
}

/** It waits for the member: they have not read it, and nobody did what it asks for. */
export const isUnread = ({ read_at, settled_at }: Pick<Notification, 'read_at' | 'settled_at'>): boolean =>
  read_at === null && settled_at === null;

/** What is off once these of the shown kinds are on; what is not shown stays as it was. */
export function offAfter(
  shown: readonly NotificationKind[],
  on: readonly string[],
  off: readonly NotificationKind[],
): NotificationKind[] {
  return [...off.filter((kind) => !shown.includes(kind)), ...shown.filter((kind) => !on.includes(kind))];
}
