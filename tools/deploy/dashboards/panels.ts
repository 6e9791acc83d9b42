import type { Module } from '../modules.ts';
import { metric, type Scope } from '../alerts/promql.ts';

/** A graph: what it asks Prometheus and how its lines are called. */
export interface Panel {
  title: string;
  /** As Grafana names units. */
  unit: 's' | 'short' | 'reqps' | 'ops' | 'bytes' | 'percentunit';
  queries: { expr: string; legend: string }[];
}

const one = (title: string, unit: Panel['unit'], expr: string, legend = title): Panel => ({
  title,
  unit,
  queries: [{ expr, legend }],
});

/** The usual three quantiles of a histogram. */
function quantiles(title: string, histogram: string, scope: Scope, ...matchers: string[]): Panel {
  const buckets = metric(`${histogram}_bucket`, scope, ...matchers);
  return {
    title,
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(${buckets}[5m])))`,
      legend: `p${quantile * 100}`,
    })),
  };
}

const rateBy = (title: string, unit: Panel['unit'], counter: string, label: string, scope: Scope): Panel =>
  one(title, unit, `sum by (${label}) (rate(${metric(counter, scope)}[5m]))`, `{{${label}}}`);

const processPanels = (scope: Scope): Panel[] => [
  one('Copies that answer', 'short', `sum(up{namespace="${scope.namespace}", job="${scope.app}"})`),
  one('Processor', 'short', `sum by (pod) (rate(${metric('process_cpu_seconds_total', scope)}[5m]))`, '{{pod}}'),
  one('Memory', 'bytes', `max by (pod) (${metric('process_resident_memory_bytes', scope)})`, '{{pod}}'),
  one('Event loop, p99', 's', `max by (pod) (${metric('nodejs_eventloop_lag_p99_seconds', scope)})`, '{{pod}}'),
  rateBy('Hints lost', 'ops', 'queue_hints_lost_total', 'queue', scope),
  one('Oldest hint that waits', 's', `max by (queue) (${metric('queue_lag_seconds', scope)})`, '{{queue}}'),
];

const PROBES = 'route!~"/livez|/readyz"';

const apiPanels = (scope: Scope): Panel[] => {
  const requests = metric('http_request_duration_seconds_count', scope, PROBES);
  const failures = metric('http_request_duration_seconds_count', scope, PROBES, 'status=~"5.."');
  return [
    one('Requests', 'reqps', `sum by (status) (rate(${requests}[5m]))`, '{{status}}'),
    one('Share of 5xx', 'percentunit', `sum(rate(${failures}[5m])) / sum(rate(${requests}[5m]))`, '5xx'),
    quantiles('Time to answer', 'http_request_duration_seconds', scope, PROBES),
    one(
      'Slowest routes, p99',
      's',
      `topk(8, histogram_quantile(0.99, sum by (le, route) (rate(${metric('http_request_duration_seconds_bucket', scope, PROBES)}[5m]))))`,
      '{{route}}',
    ),
    rateBy('Debits, by module', 'ops', 'ledger_debits_total', 'module', scope),
    rateBy('Refused by rate limits', 'reqps', 'rate_limited_total', 'policy', scope),
    one('Rate limits without Redis', 'short', `max(${metric('rate_limit_degraded', scope)})`),
    rateBy('Reads that a replica may answer', 'ops', 'replica_reads_total', 'result', scope),
    one('Request bodies in memory', 'bytes', `max by (pod) (${metric('http_body_bytes_held', scope)})`, '{{pod}}'),
  ];
};

const mails = (scope: Scope): Panel =>
  one('Oldest unsent mail', 's', `max by (kind) (${metric('mail_oldest_unsent_seconds', scope)})`, '{{kind}}');

const OWN: Partial<Record<Module['name'], (scope: Scope) => Panel[]>> = {
  platform: (scope) => [
    one('Drift of the ledger, in credits', 'short', `max(${metric('ledger_drift_credits', scope)})`),
    one('Ledger last compared', 's', `min(${metric('ledger_check_age_seconds', scope)})`),
    mails(scope),
  ],
  signing: (scope) => [
    one('Envelope batches open', 'short', `max by (status) (${metric('envelope_batches_open', scope)})`, '{{status}}'),
    one('Envelope batch stalled', 's', `max(${metric('envelope_batch_stalled_seconds', scope)})`),
    one('Rows of batches', 'ops', `sum(rate(${metric('envelope_batch_rows_total', scope)}[5m]))`),
    mails(scope),
  ],
  compliance: (scope) => [
    one('Mandatory lists missing', 'short', `max(${metric('lists_missing', scope)})`),
    one('Age of lists', 's', `max by (list) (${metric('list_age_seconds', scope)})`, '{{list}}'),
    one('Stale lists', 'short', `max by (list) (${metric('list_stale', scope)})`, '{{list}}'),
    one('Entries of lists', 'short', `max by (list) (${metric('list_entries', scope)})`, '{{list}}'),
    one('Rescreenings waiting', 'short', `max(${metric('rescreen_jobs_waiting', scope)})`),
    one('Oldest rescreening', 's', `max(${metric('rescreen_oldest_seconds', scope)})`),
    one(
      'Screening batches open',
      'short',
      `max by (status) (${metric('screening_batches_open', scope)})`,
      '{{status}}',
    ),
    one('Screening batch stalled', 's', `max(${metric('screening_batch_stalled_seconds', scope)})`),
    one('Rows of batches', 'ops', `sum(rate(${metric('screening_batch_rows_total', scope)}[5m]))`),
  ],
  'sealing-worker': (scope) => [
    one('Documents pending', 'short', `max by (kind) (${metric('sealing_backlog', scope)})`, '{{kind}}'),
    one('Oldest pending', 's', `max by (kind) (${metric('sealing_oldest_seconds', scope)})`, '{{kind}}'),
    quantiles('From acceptance, or the last signature, to the seal', 'seal_latency_seconds', scope),
    rateBy('Runs by result', 'ops', 'seals_total', 'result', scope),
    rateBy('Put off, by cause', 'ops', 'seals_deferred_total', 'cause', scope),
    one('Evidence due', 'short', `max(${metric('evidence_backlog', scope)})`),
    one('Longest due evidence', 's', `max(${metric('evidence_oldest_seconds', scope)})`),
    rateBy('Evidence runs by result', 'ops', 'evidence_runs_total', 'result', scope),
    one(
      'Stages, p95',
      's',
      `histogram_quantile(0.95, sum by (le, stage) (rate(${metric('seal_stage_seconds_bucket', scope)}[5m])))`,
      '{{stage}}',
    ),
  ],
  'webhook-dispatcher': (scope) => [
    one('Most overdue', 's', `max(${metric('outbox_lag_seconds', scope)})`),
    one('Open deliveries', 'short', `max(${metric('deliveries_open', scope)})`),
    one('Oldest open', 's', `max(${metric('delivery_oldest_undelivered_seconds', scope)})`),
    quantiles('From event to first attempt', 'delivery_first_attempt_seconds', scope),
    rateBy('Attempts by result', 'ops', 'delivery_attempts_total', 'result', scope),
    quantiles('Time that receivers take', 'delivery_attempt_seconds', scope),
    one('Leases lost', 'ops', `sum(rate(${metric('delivery_leases_lost_total', scope)}[5m]))`),
    mails(scope),
  ],
  'biometrics-worker': (scope) => [
    one('Steps waiting', 'short', `max(${metric('step_runs_backlog', scope)})`),
    one('Oldest waiting', 's', `max(${metric('step_runs_oldest_seconds', scope)})`),
    one(
      'Steps by result',
      'ops',
      `sum by (step, result) (rate(${metric('step_runs_total', scope)}[5m]))`,
      '{{step}} {{result}}',
    ),
    rateBy('Own failures, by reason', 'ops', 'step_failures_total', 'reason', scope),
    one(
      'Stages, p95',
      's',
      `histogram_quantile(0.95, sum by (le, stage) (rate(${metric('step_stage_seconds_bucket', scope)}[5m])))`,
      '{{stage}}',
    ),
  ],
};

/** What a module shows: its own figures first, then those of its API, then those of its processes. */
export function panelsOf(module: Module, scope: Scope): Panel[] {
  return [
    ...(OWN[module.name]?.(scope) ?? []),
    ...(module.ports.http === undefined ? [] : apiPanels(scope)),
    ...processPanels(scope),
  ];
}
