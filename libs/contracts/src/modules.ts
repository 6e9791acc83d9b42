/** Modules that emit events and have a webhook endpoint of their own. */
export const EVENT_MODULES = ['identity', 'compliance', 'seal', 'billing'] as const;
export type EventModule = (typeof EVENT_MODULES)[number];

/**
 * Event types by module, as delivered in event_type. `endpoint.test` and `webhook.endpoint.disabled` may come from any; endpoints of any
 * module may subscribe to those of billing, by their names.
 */
export const EVENT_TYPES = {
  identity: [
    'subject.verified',
    'subject.rejected',
    'flow.session.manual_review',
    'wallet.presentation.approved',
    'wallet.presentation.declined',
    'wallet.presentation.expired',
    'wallet.consent.revoked',
    'wallet.sign_in.revoked',
  ],
  compliance: ['screening.completed', 'screening_batch.completed', 'case.opened', 'case.resolved'],
  seal: [
    'seal.signature.completed',
    'seal.signature.failed',
    'seal.envelope.sent',
    'seal.envelope.viewed',
    'seal.envelope.not_me',
    'seal.envelope.signed',
    'seal.envelope.declined',
    'seal.envelope.voided',
    'seal.envelope.expired',
    'seal.envelope.completed',
    'seal.envelope.failed',
    'seal.envelope_batch.completed',
  ],
  billing: ['credits.balance.credited', 'credits.balance.reversed', 'credits.balance.low'],
} as const satisfies Record<EventModule, readonly string[]>;

export const EVERY_MODULE_EVENT_TYPES = ['endpoint.test', 'webhook.endpoint.disabled'] as const;

export type Environment = 'sandbox' | 'production';
