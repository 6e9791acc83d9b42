/** Alerts about what several modules do alike: being there, queues, mails, requests. */
import { QUEUES } from '@constancia/contracts';
import type { Module } from '../modules.ts';
import { type Alert, firing, growing, only, silent, steady } from './alert.ts';
import { metric, up } from './promql.ts';

const everyModule = (): boolean => true;
const everyApi = ({ ports }: Module): boolean => ports.http !== undefined;

export const OF_EVERY_PROCESS: readonly Alert[] = [
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
      'The process cannot read {{ $labels.metric }}: its source (usually Postgres) is unavailable to the process, and alerts about it cannot fire.',
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

export const WHO_CONSUMES: readonly Alert[] = [
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

export const WHO_MAILS: readonly Alert[] = [
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

export const OF_EVERY_API: readonly Alert[] = [
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
  {
    alert: 'ReplicaNotRead',
    severity: 'ticket',
    for: '10m',
    summary:
      'Most lists, exports and statistics that the replica should answer are read from the primary: the replica lags or cannot be reached.',
    concerns: everyApi,
    expr: (scope) =>
      `sum(rate(${metric('replica_reads_total', scope, 'result!="replica"')}[10m])) / sum(rate(${metric('replica_reads_total', scope)}[10m])) > 0.5`,
    cases: [
      firing('30m', growing('replica_reads_total', 30, { result: 'behind' })),
      firing(
        '30m',
        growing('replica_reads_total', 40, { result: 'unavailable' }),
        growing('replica_reads_total', 30, { result: 'replica' }),
      ),
      silent(
        '30m',
        growing('replica_reads_total', 3, { result: 'conflict' }),
        growing('replica_reads_total', 30, { result: 'replica' }),
      ),
      silent('30m', steady('replica_reads_total', 9, { result: 'unavailable' })),
      silent('5m', growing('replica_reads_total', 30, { result: 'behind' })),
    ],
  },
];
