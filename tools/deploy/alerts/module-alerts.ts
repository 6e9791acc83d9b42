/** Alerts about the work of a module. */
import { type Alert, firing, growing, only, silent, steady } from './alert.ts';
import { metric } from './promql.ts';

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
  {
    alert: 'ScreeningBatchStalled',
    severity: 'ticket',
    for: '10m',
    summary: 'A screening batch has not moved for half an hour, and it does not wait for its tenant.',
    concerns: only('compliance'),
    expr: (scope) => `max(${metric('screening_batch_stalled_seconds', scope)}) > 1800`,
    cases: [
      firing('1h', steady('screening_batch_stalled_seconds', 3_600)),
      silent('1h', steady('screening_batch_stalled_seconds', 60)),
      silent('5m', steady('screening_batch_stalled_seconds', 3_600)),
    ],
  },
];

export const OF_SIGNING: readonly Alert[] = [
  {
    alert: 'EnvelopeBatchStalled',
    severity: 'ticket',
    for: '10m',
    summary: 'An envelope batch has not moved for half an hour, and it does not wait for its tenant.',
    concerns: only('signing'),
    expr: (scope) => `max(${metric('envelope_batch_stalled_seconds', scope)}) > 1800`,
    cases: [
      firing('1h', steady('envelope_batch_stalled_seconds', 3_600)),
      silent('1h', steady('envelope_batch_stalled_seconds', 60)),
      silent('5m', steady('envelope_batch_stalled_seconds', 3_600)),
    ],
  },
  {
    alert: 'SigningCertificateEnds',
    severity: 'ticket',
    for: '1h',
    summary: 'A certificate that documents are sealed with ends within two weeks. Whose it is: {{ $labels.owner }}.',
    concerns: only('signing'),
    expr: (scope) => `min by (owner) (${metric('signing_certificate_days_left', scope)}) < 14`,
    cases: [
      {
        series: [
          steady('signing_certificate_days_left', 13, { owner: 'tenant' }),
          steady('signing_certificate_days_left', 400, { owner: 'platform' }),
        ],
        at: '2h',
        fires: [{ owner: 'tenant' }],
      },
      silent('2h', steady('signing_certificate_days_left', 15, { owner: 'tenant' })),
      silent('30m', steady('signing_certificate_days_left', 13, { owner: 'tenant' })),
    ],
  },
  {
    alert: 'TextMessagesRefused',
    severity: 'page',
    for: '10m',
    summary: 'More than half of the codes to phones over {{ $labels.channel }} are not taken by the service.',
    concerns: only('signing'),
    expr: (scope) => {
      const all = metric('text_messages_total', scope);
      const failed = metric('text_messages_total', scope, 'result!="sent"');
      return `sum by (channel) (rate(${failed}[10m])) / sum by (channel) (rate(${all}[10m])) > 0.5`;
    },
    cases: [
      {
        series: [
          growing('text_messages_total', 6, { channel: 'sms', result: 'refused' }),
          growing('text_messages_total', 4, { channel: 'sms', result: 'sent' }),
          growing('text_messages_total', 9, { channel: 'whatsapp', result: 'sent' }),
        ],
        at: '1h',
        fires: [{ channel: 'sms' }],
      },
      silent('1h', steady('text_messages_total', 6, { channel: 'sms', result: 'refused' })),
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
  {
    alert: 'EvidenceOverdue',
    severity: 'ticket',
    for: '30m',
    summary: 'The long-term evidence of a sealed document has been due for more than a day.',
    concerns: only('sealing-worker'),
    expr: (scope) => `max(${metric('evidence_oldest_seconds', scope)}) > 86400`,
    cases: [
      firing('1h', steady('evidence_oldest_seconds', 90_000)),
      silent('1h', steady('evidence_oldest_seconds', 3_600)),
      silent('20m', steady('evidence_oldest_seconds', 90_000)),
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
