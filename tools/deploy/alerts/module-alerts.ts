/** Alerts about the work of a module, and about credentials. */
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

export const OF_CREDENTIALS: readonly Alert[] = [
  {
    alert: 'KeysOutsideTheirNetworks',
    severity: 'ticket',
    for: '0m',
    summary:
      'More than twenty requests in 15 minutes carried an API key from outside its networks: it may be in other hands.',
    concerns: ({ ports }) => ports.http !== undefined,
    expr: (scope) => `sum(increase(${metric('api_key_network_rejections_total', scope)}[15m])) > 20`,
    cases: [
      firing('30m', growing('api_key_network_rejections_total', 3)),
      silent('30m', growing('api_key_network_rejections_total', 1)),
      silent('30m', steady('api_key_network_rejections_total', 900)),
    ],
  },
  {
    alert: 'MemberSignInsFail',
    severity: 'ticket',
    for: '0m',
    summary: 'More than fifty sign-ins of members failed in 15 minutes: somebody may be guessing codes.',
    concerns: only('platform'),
    expr: (scope) => `sum(increase(${metric('member_sign_ins_total', scope, 'outcome=~"wrong|locked"')}[15m])) > 50`,
    cases: [
      firing('30m', growing('member_sign_ins_total', 6, { outcome: 'wrong' })),
      firing(
        '30m',
        growing('member_sign_ins_total', 3, { outcome: 'wrong' }),
        growing('member_sign_ins_total', 3, { outcome: 'locked' }),
      ),
      silent('30m', growing('member_sign_ins_total', 2, { outcome: 'wrong' })),
      silent('30m', growing('member_sign_ins_total', 90, { outcome: 'ok' })),
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

export const OF_COMPLIANCE: readonly Alert[] = [
  {
    alert: 'ListsMissing',
    severity: 'page',
    for: '5m',
    summary: 'A mandatory list was never imported: every screening answers 503.',
    concerns: only('compliance'),
    expr: (scope) => `max(${metric('lists_missing', scope)}) > 0`,
    cases: [firing('10m', steady('lists_missing', 1)), silent('10m', steady('lists_missing', 0))],
  },
  {
    alert: 'ListStale',
    severity: 'ticket',
    for: '30m',
    summary: 'The list {{ $labels.list }} is older than it may be: screenings go on, against old names.',
    concerns: only('compliance'),
    expr: (scope) => `max by (list) (${metric('list_stale', scope)}) == 1`,
    cases: [
      {
        series: [steady('list_stale', 1, { list: 'OFAC' }), steady('list_stale', 0, { list: 'ONU' })],
        at: '1h',
        fires: [{ list: 'OFAC' }],
      },
      silent('1h', steady('list_stale', 0, { list: 'OFAC' })),
    ],
  },
  {
    alert: 'RescreeningStuck',
    severity: 'ticket',
    for: '2h',
    summary: 'Subjects have been waiting for two hours to be screened again after a list or a validation changed.',
    concerns: only('compliance'),
    expr: (scope) => `max(${metric('rescreen_jobs_waiting', scope)}) > 0`,
    cases: [
      firing('3h', steady('rescreen_jobs_waiting', 4)),
      silent('1h', steady('rescreen_jobs_waiting', 4)),
      silent('3h', steady('rescreen_jobs_waiting', 0)),
    ],
  },
];

export const OF_SEALING: readonly Alert[] = [
  {
    alert: 'SealingStuck',
    severity: 'page',
    for: '3m',
    summary: 'A document has been waiting for its seal for more than a minute; after 15 minutes it is given up.',
    concerns: only('sealing-worker'),
    expr: (scope) => `max(${metric('sealing_oldest_seconds', scope)}) > 60`,
    cases: [
      firing('10m', steady('sealing_oldest_seconds', 120)),
      silent('10m', steady('sealing_oldest_seconds', 4)),
      silent('2m', steady('sealing_oldest_seconds', 120)),
    ],
  },
  {
    alert: 'SealsDeferred',
    severity: 'ticket',
    for: '10m',
    summary: 'Documents are put off, because of {{ $labels.cause }}.',
    concerns: only('sealing-worker'),
    expr: (scope) => `sum by (cause) (rate(${metric('seals_deferred_total', scope)}[5m])) > 0`,
    cases: [
      { series: [growing('seals_deferred_total', 6, { cause: 'kms' })], at: '30m', fires: [{ cause: 'kms' }] },
      silent('30m', steady('seals_deferred_total', 6, { cause: 'kms' })),
    ],
  },
  {
    alert: 'SealsRefunded',
    severity: 'page',
    for: '0m',
    summary: 'Documents could not be sealed through an internal fault, and their credits were given back.',
    concerns: only('sealing-worker'),
    expr: (scope) => `sum(increase(${metric('seals_total', scope, 'result="refunded"')}[15m])) > 0`,
    cases: [
      firing('30m', growing('seals_total', 1, { result: 'refunded' })),
      silent('30m', growing('seals_total', 1, { result: 'signed' })),
      silent('30m', steady('seals_total', 9, { result: 'refunded' })),
    ],
  },
];

export const OF_DELIVERY: readonly Alert[] = [
  {
    alert: 'DeliveriesOverdue',
    severity: 'page',
    for: '3m',
    summary: 'A webhook that is due has been waiting for more than a minute to be sent.',
    concerns: only('webhook-dispatcher'),
    expr: (scope) => `max(${metric('outbox_lag_seconds', scope)}) > 60`,
    cases: [
      firing('10m', steady('outbox_lag_seconds', 90)),
      silent('10m', steady('outbox_lag_seconds', 3)),
      silent('2m', steady('outbox_lag_seconds', 90)),
    ],
  },
  {
    alert: 'ReceiversFail',
    severity: 'ticket',
    for: '30m',
    summary: 'More than half of all attempts at webhooks are not accepted by their receivers.',
    concerns: only('webhook-dispatcher'),
    expr: (scope) => {
      const attempts = metric('delivery_attempts_total', scope);
      const refused = metric('delivery_attempts_total', scope, 'result!="delivered"');
      return `sum(rate(${refused}[15m])) / sum(rate(${attempts}[15m])) > 0.5`;
    },
    cases: [
      firing(
        '2h',
        growing('delivery_attempts_total', 60, { result: 'retry' }),
        growing('delivery_attempts_total', 40, { result: 'delivered' }),
      ),
      silent(
        '2h',
        growing('delivery_attempts_total', 20, { result: 'retry' }),
        growing('delivery_attempts_total', 80, { result: 'delivered' }),
      ),
    ],
  },
  {
    alert: 'LeasesLost',
    severity: 'ticket',
    for: '10m',
    summary: 'Results of attempts come too late to be written: receivers get the same event more than once.',
    concerns: only('webhook-dispatcher'),
    expr: (scope) => `sum(rate(${metric('delivery_leases_lost_total', scope)}[10m])) > 0`,
    cases: [
      firing('30m', growing('delivery_leases_lost_total', 2)),
      silent('30m', steady('delivery_leases_lost_total', 2)),
    ],
  },
];

export const OF_BIOMETRICS: readonly Alert[] = [
  {
    alert: 'StepsStuck',
    severity: 'page',
    for: '2m',
    summary: 'An identity step has been waiting for more than half a minute; after two minutes it fails.',
    concerns: only('biometrics-worker'),
    expr: (scope) => `max(${metric('step_runs_oldest_seconds', scope)}) > 30`,
    cases: [
      firing('10m', steady('step_runs_oldest_seconds', 45)),
      silent('10m', steady('step_runs_oldest_seconds', 2)),
      silent('1m', steady('step_runs_oldest_seconds', 45)),
    ],
  },
  {
    alert: 'StepsFail',
    severity: 'ticket',
    for: '10m',
    summary: 'Attempts at identity steps fail through an internal fault: {{ $labels.reason }}.',
    concerns: only('biometrics-worker'),
    expr: (scope) =>
      `sum by (reason) (rate(${metric('step_failures_total', scope, 'reason!~"subject_erased|picture_missing"')}[10m])) > 0`,
    cases: [
      {
        series: [growing('step_failures_total', 2, { reason: 'engine_crash' })],
        at: '30m',
        fires: [{ reason: 'engine_crash' }],
      },
      silent('30m', growing('step_failures_total', 5, { reason: 'picture_missing' })),
    ],
  },
];
