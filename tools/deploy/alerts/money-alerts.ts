/** Alerts about credits and what pays for them. */
import { type Alert, firing, growing, only, silent, steady } from './alert.ts';
import { metric } from './promql.ts';

export const OF_THE_LEDGER: readonly Alert[] = [
  {
    alert: 'LedgerDrift',
    severity: 'page',
    for: '0m',
    summary: 'The account of a tenant is not what follows from its ledger entries.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('ledger_drift_credits', scope)}) > 0`,
    cases: [firing('5m', steady('ledger_drift_credits', 8)), silent('5m', steady('ledger_drift_credits', 0))],
  },
  {
    alert: 'LedgerUnchecked',
    severity: 'ticket',
    for: '5m',
    summary: 'No copy has compared accounts with their ledger entries for ten minutes: a drift would not be seen.',
    concerns: only('platform'),
    expr: (scope) => `min(${metric('ledger_check_age_seconds', scope)}) > 600`,
    cases: [
      firing('20m', steady('ledger_check_age_seconds', 900)),
      silent(
        '20m',
        steady('ledger_check_age_seconds', 900, { pod: 'a' }),
        steady('ledger_check_age_seconds', 4, { pod: 'b' }),
      ),
      silent('3m', steady('ledger_check_age_seconds', 900)),
    ],
  },
];

export const OF_BILLING: readonly Alert[] = [
  {
    alert: 'PaymentCallbacksRefused',
    severity: 'ticket',
    for: '0m',
    summary:
      'More than twenty callbacks of the payment provider were refused in 15 minutes: forged, or of a secret that we do not have.',
    concerns: only('platform'),
    expr: (scope) =>
      `sum(increase(${metric('payment_callbacks_total', scope, 'outcome=~"forged|malformed"')}[15m])) > 20`,
    cases: [
      firing('30m', growing('payment_callbacks_total', 3, { outcome: 'forged' })),
      firing('30m', growing('payment_callbacks_total', 3, { outcome: 'malformed' })),
      silent('30m', growing('payment_callbacks_total', 1, { outcome: 'forged' })),
      silent('30m', growing('payment_callbacks_total', 90, { outcome: 'accepted' })),
    ],
  },
  {
    alert: 'PaymentProviderFails',
    severity: 'page',
    for: '10m',
    summary:
      'More than half of the calls of the payment provider fail: nobody can buy credits, and payments are credited late.',
    concerns: only('platform'),
    expr: (scope) => {
      const calls = metric('payment_provider_calls_total', scope);
      const failed = metric('payment_provider_calls_total', scope, 'outcome!="answered"');
      return `sum(rate(${failed}[10m])) / sum(rate(${calls}[10m])) > 0.5`;
    },
    cases: [
      firing(
        '1h',
        growing('payment_provider_calls_total', 6, { outcome: 'failed' }),
        growing('payment_provider_calls_total', 4, { outcome: 'answered' }),
      ),
      firing('1h', growing('payment_provider_calls_total', 6, { outcome: 'refused' })),
      silent(
        '1h',
        growing('payment_provider_calls_total', 4, { outcome: 'failed' }),
        growing('payment_provider_calls_total', 6, { outcome: 'answered' }),
      ),
      silent('1h', steady('payment_provider_calls_total', 6, { outcome: 'failed' })),
    ],
  },
  {
    alert: 'TopupChecksLate',
    severity: 'page',
    for: '5m',
    summary:
      'Top-ups have not been looked up for minutes after it was due: payments whose callback is lost are not credited.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('topup_check_lag_seconds', scope)}) > 240`,
    cases: [
      firing('15m', steady('topup_check_lag_seconds', 400)),
      silent('15m', steady('topup_check_lag_seconds', 60)),
      silent('3m', steady('topup_check_lag_seconds', 400)),
    ],
  },
  {
    alert: 'ClosingOverdue',
    severity: 'ticket',
    for: '10m',
    summary: 'A tenant whose time to reconsider is over has not been closed: its credentials and data are still there.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('tenant_closing_lag_seconds', scope)}) > 3600`,
    cases: [
      firing('20m', steady('tenant_closing_lag_seconds', 4_000)),
      silent('20m', steady('tenant_closing_lag_seconds', 100)),
      silent('5m', steady('tenant_closing_lag_seconds', 4_000)),
    ],
  },
  {
    alert: 'TopupDifferences',
    severity: 'ticket',
    for: '15m',
    summary: 'Top-ups differ from their payments ({{ $labels.difference }}) and wait for a person.',
    concerns: only('platform'),
    expr: (scope) => `max by (difference) (${metric('topup_differences', scope)}) > 0`,
    cases: [
      {
        series: [
          steady('topup_differences', 1, { difference: 'paid_twice' }),
          steady('topup_differences', 0, { difference: 'amount_mismatch' }),
        ],
        at: '1h',
        fires: [{ difference: 'paid_twice' }],
      },
      silent('1h', steady('topup_differences', 0, { difference: 'paid_twice' })),
    ],
  },
  {
    alert: 'TrmStale',
    severity: 'ticket',
    for: '1h',
    summary: 'There is no believable exchange rate for two days: after five, production sells no credits.',
    concerns: only('platform'),
    expr: (scope) => `min(${metric('trm_age_days', scope)}) >= 2`,
    cases: [
      firing('2h', steady('trm_age_days', 3)),
      silent('2h', steady('trm_age_days', 1)),
      silent('2h', steady('trm_age_days', 3, { pod: 'a' }), steady('trm_age_days', 0, { pod: 'b' })),
      silent('30m', steady('trm_age_days', 3)),
    ],
  },
];
