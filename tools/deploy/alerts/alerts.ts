import { QUEUES } from '@constancia/contracts';
import type { Module } from '../modules.ts';
import { type Alert, firing, growing, silent, steady } from './alert.ts';
import { BUDGET_ALERTS } from './budget-alerts.ts';
import { metric, up } from './promql.ts';

const everyModule = (): boolean => true;
const everyApi = ({ ports }: Module): boolean => ports.http !== undefined;
const only =
  (...names: Module['name'][]) =>
  ({ name }: Module): boolean =>
    names.includes(name);

const OF_EVERY_PROCESS: readonly Alert[] = [
  {
    alert: 'ModuleDown',
    severity: 'page',
    for: '2m',
    summary: 'No copy of the module answers.',
    concerns: everyModule,
    expr: (scope) => `absent(${up(scope)} == 1)`,
    cases: [
      firing('10m', { metric: 'up', values: '0+0x20', of: 'up' }),
      firing('10m'),
      silent('10m', { metric: 'up', values: '1+0x20', of: 'up' }),
      silent('3m', { metric: 'up', values: '1 1 0 0', of: 'up' }),
    ],
  },
  {
    alert: 'CopyDown',
    severity: 'ticket',
    for: '10m',
    summary: 'A copy of the module has not answered for ten minutes.',
    concerns: everyModule,
    expr: (scope) => `count(${up(scope)} == 0) > 0`,
    cases: [
      firing('20m', { metric: 'up', values: '0+0x30', of: 'up' }),
      silent('20m', { metric: 'up', values: '1+0x30', of: 'up' }),
      silent('20m', { metric: 'up', values: '1 0 0 0 1+0x30', of: 'up' }),
    ],
  },
  {
    alert: 'EventLoopHeld',
    severity: 'ticket',
    for: '10m',
    summary: 'Something holds the process up: one in a hundred turns of its event loop comes half a second late.',
    concerns: everyModule,
    expr: (scope) => `max(${metric('nodejs_eventloop_lag_p99_seconds', scope)}) > 0.5`,
    cases: [
      firing('20m', steady('nodejs_eventloop_lag_p99_seconds', 0.8)),
      silent('20m', steady('nodejs_eventloop_lag_p99_seconds', 0.2)),
      silent('5m', steady('nodejs_eventloop_lag_p99_seconds', 0.8)),
    ],
  },
  {
    alert: 'HintsLost',
    severity: 'ticket',
    for: '10m',
    summary: 'Hints cannot be put into the queue. Nothing is lost: the sweeps find the work, some seconds later.',
    concerns: everyModule,
    expr: (scope) => `sum(rate(${metric('queue_hints_lost_total', scope)}[5m])) > 0`,
    cases: [
      firing('30m', growing('queue_hints_lost_total', 3, { queue: 'sealing' })),
      silent('30m', steady('queue_hints_lost_total', 7, { queue: 'sealing' })),
    ],
  },
  {
    alert: 'FiguresMissing',
    severity: 'page',
    for: '5m',
    summary:
      'The process cannot read {{ $labels.metric }}: what that comes from (Postgres, mostly) is away from it, and alerts about it are blind.',
    concerns: everyModule,
    expr: (scope) => `sum by (metric) (rate(${metric('metric_failures_total', scope)}[5m])) > 0`,
    cases: [
      {
        series: [growing('metric_failures_total', 2, { metric: 'queue_lag_seconds' })],
        at: '30m',
        fires: [{ metric: 'queue_lag_seconds' }],
      },
      silent('30m', steady('metric_failures_total', 4, { metric: 'queue_lag_seconds' })),
      silent('3m', growing('metric_failures_total', 2, { metric: 'queue_lag_seconds' })),
    ],
  },
];

const WHO_CONSUMES: readonly Alert[] = [
  {
    alert: 'QueueLag',
    severity: 'ticket',
    for: '5m',
    summary:
      'Hints wait in the queue {{ $labels.queue }} for more than half a minute: its consumers do not keep up, or do not run.',
    concerns: ({ name }) => Object.values(QUEUES).some(({ consumer }) => consumer === name),
    expr: (scope) => `max by (queue) (${metric('queue_lag_seconds', scope)}) > 30`,
    cases: [
      {
        series: [
          steady('queue_lag_seconds', 90, { queue: 'webhook-delivery' }),
          steady('queue_lag_seconds', 0, { queue: 'webhook-replay' }),
        ],
        at: '20m',
        fires: [{ queue: 'webhook-delivery' }],
      },
      silent('20m', steady('queue_lag_seconds', 4, { queue: 'webhook-delivery' })),
      silent('3m', steady('queue_lag_seconds', 90, { queue: 'webhook-delivery' })),
    ],
  },
];

const WHO_MAILS: readonly Alert[] = [
  {
    alert: 'MailsUnsent',
    severity: 'page',
    for: '2m',
    summary:
      'The mail server has not taken a mail ({{ $labels.kind }}) for more than five minutes; people wait for codes and links.',
    concerns: only('platform', 'signing', 'webhook-dispatcher'),
    expr: (scope) => `max by (kind) (${metric('mail_oldest_unsent_seconds', scope)}) > 300`,
    cases: [
      {
        series: [steady('mail_oldest_unsent_seconds', 900, { kind: 'signer' })],
        at: '10m',
        fires: [{ kind: 'signer' }],
      },
      silent('10m', steady('mail_oldest_unsent_seconds', 3, { kind: 'signer' })),
      silent('1m', steady('mail_oldest_unsent_seconds', 900, { kind: 'signer' })),
    ],
  },
];

const OF_THE_LEDGER: readonly Alert[] = [
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

const OF_EVERY_API: readonly Alert[] = [
  {
    alert: 'RateLimitsDegraded',
    severity: 'ticket',
    for: '10m',
    summary: 'Redis cannot be used: every copy counts its rate limits by itself, so they are as many times as wide.',
    concerns: everyApi,
    expr: (scope) => `max(${metric('rate_limit_degraded', scope)}) == 1`,
    cases: [
      firing('20m', steady('rate_limit_degraded', 1)),
      silent('20m', steady('rate_limit_degraded', 0)),
      silent('5m', steady('rate_limit_degraded', 1)),
    ],
  },
  {
    alert: 'UploadMemoryFull',
    severity: 'ticket',
    for: '5m',
    summary: 'Large request bodies fill the memory that is there for them (256 MB a copy): uploads get 503.',
    concerns: everyApi,
    // MAX_BODY_MEMORY_MB, less a tenth.
    expr: (scope) => `max(${metric('http_body_bytes_held', scope)}) > ${0.9 * 256 * 1024 * 1024}`,
    cases: [
      firing('20m', steady('http_body_bytes_held', 260_000_000)),
      silent('20m', steady('http_body_bytes_held', 120_000_000)),
    ],
  },
];

const OF_COMPLIANCE: readonly Alert[] = [
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

const OF_SEALING: readonly Alert[] = [
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
    summary: 'Documents could not be sealed through our own fault, and their credits were given back.',
    concerns: only('sealing-worker'),
    expr: (scope) => `sum(increase(${metric('seals_total', scope, 'result="refunded"')}[15m])) > 0`,
    cases: [
      firing('30m', growing('seals_total', 1, { result: 'refunded' })),
      silent('30m', growing('seals_total', 1, { result: 'signed' })),
      silent('30m', steady('seals_total', 9, { result: 'refunded' })),
    ],
  },
];

const OF_DELIVERY: readonly Alert[] = [
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

const OF_BIOMETRICS: readonly Alert[] = [
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
    summary: 'Attempts at identity steps fail through our own fault: {{ $labels.reason }}.',
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

/** Every alert there is. Its runbook is deploy/runbooks/<alert>.md. */
export const ALERTS: readonly Alert[] = [
  ...OF_EVERY_PROCESS,
  ...WHO_CONSUMES,
  ...WHO_MAILS,
  ...BUDGET_ALERTS,
  ...OF_THE_LEDGER,
  ...OF_EVERY_API,
  ...OF_COMPLIANCE,
  ...OF_SEALING,
  ...OF_DELIVERY,
  ...OF_BIOMETRICS,
];

export const alertsOf = (module: Module): Alert[] => ALERTS.filter(({ concerns }) => concerns(module));
