/** What members are notified of. */
export const NOTIFICATION_KINDS = [
  'case_assigned', 'case_escalated', 'case_awaiting_approval', 'case_due_soon', 'case_overdue',
  'rules_awaiting_publication', 'session_awaiting_approval', 'endpoint_disabled', 'balance_low', 'certificate_ends',
  'envelope_completed', 'envelope_declined', 'envelope_expired', 'envelope_failed', 'envelope_code_undelivered',
] as const; // prettier-ignore
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
