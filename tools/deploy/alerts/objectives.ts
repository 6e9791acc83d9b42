import type { Module, ModuleName } from '../modules.ts';
import { metric, type Scope } from './promql.ts';

/** A service level objective: of all that counts, the share that must be good over thirty days. */
export interface Objective {
  /** Names the alert that watches its budget. */
  alert: string;
  title: string;
  promise: string;
  /** 0.999: one in a thousand may be bad. */
  target: number;
  /** What is counted, for the page of objectives. */
  counts: string;
  holdsFor: (module: Module) => boolean;
  /** Per second, over a window: what was bad, and all. */
  bad: (scope: Scope, window: string) => string;
  all: (scope: Scope, window: string) => string;
}

/**
 * Routes whose time is not the API's own: health probes; documents and uploads, whose time is that of their bytes; what waits for
 * work that others do; and what goes through all of a tenant's rows.
 */
export const OTHER_TIMES = [
  '/livez',
  '/readyz',
  '/v1/templates',
  '.*/document',
  '.*/verify',
  '/uploads/.*',
  '.*/advance',
  '.*/export',
  '.*/backtest',
];
const PROBES = 'route!~"/livez|/readyz"';
const OWN_TIME = `route!~"${OTHER_TIMES.join('|')}"`;

const only = (name: ModuleName) => (module: Module) => module.name === name;
const perSecond = (series: string, window: string) => `sum(rate(${series}[${window}]))`;

/** An objective about time: bad is what took longer than a bound, which must be one of the histogram's. */
function within(histogram: string, seconds: number, ...matchers: string[]): Pick<Objective, 'bad' | 'all'> {
  const all: Objective['all'] = (scope, window) => perSecond(metric(`${histogram}_count`, scope, ...matchers), window);
  const good: Objective['all'] = (scope, window) =>
    perSecond(metric(`${histogram}_bucket`, scope, ...matchers, `le="${seconds}"`), window);
  return { all, bad: (scope, window) => `(${all(scope, window)} - ${good(scope, window)})` };
}

export const OBJECTIVES: readonly Objective[] = [
  {
    alert: 'ApiErrorBudgetBurns',
    title: 'The API answers',
    promise: '99.9 % of requests are answered with something else than 5xx',
    target: 0.999,
    counts: 'every request but health probes, by its status',
    holdsFor: ({ ports }) => ports.http !== undefined,
    bad: (scope, window) =>
      perSecond(metric('http_request_duration_seconds_count', scope, PROBES, 'status=~"5.."'), window),
    all: (scope, window) => perSecond(metric('http_request_duration_seconds_count', scope, PROBES), window),
  },
  {
    alert: 'ApiLatencyBudgetBurns',
    title: 'The API answers soon',
    promise: '99 % of requests are answered within 250 ms',
    target: 0.99,
    counts: `every request but those whose time is not the API's own (\`${OTHER_TIMES.join('`, `')}\`)`,
    holdsFor: ({ ports }) => ports.http !== undefined,
    ...within('http_request_duration_seconds', 0.25, OWN_TIME),
  },
  {
    alert: 'SealLatencyBudgetBurns',
    title: 'Documents are sealed soon',
    promise:
      '99 % of documents are sealed within 5 s of the acceptance of their request, or of the last signature of their envelope',
    target: 0.99,
    counts: 'every document that was sealed',
    holdsFor: only('sealing-worker'),
    ...within('seal_latency_seconds', 5),
  },
  {
    alert: 'FirstAttemptBudgetBurns',
    title: 'Webhooks are sent soon',
    promise: '99 % of deliveries are attempted for the first time within 2 s of their event',
    target: 0.99,
    counts: 'the first attempt of every delivery, whatever the receiver answers',
    holdsFor: only('webhook-dispatcher'),
    ...within('delivery_first_attempt_seconds', 2),
  },
];

/** How fast a budget of thirty days may go before somebody is alerted, over a long window and, so that it ends soon, a short one. */
export const BURNS = [
  { severity: 'page', factor: 14.4, long: '1h', short: '5m', seconds: 3_600 },
  { severity: 'ticket', factor: 6, long: '6h', short: '30m', seconds: 21_600 },
] as const;

/** Fewer bad ones than this in the long window are no trend, however few there were in all. */
export const AT_LEAST_BAD = 5;

/** Holds while an objective's budget goes `factor` times as fast as it may. */
export function burns(
  objective: Objective,
  { factor, long, short, seconds }: (typeof BURNS)[number],
  scope: Scope,
): string {
  const { bad, all, target } = objective;
  const limit = Number((factor * (1 - target)).toPrecision(6));
  return [
    `${bad(scope, long)} / ${all(scope, long)} > ${limit}`,
    `${bad(scope, short)} / ${all(scope, short)} > ${limit}`,
    `${bad(scope, long)} * ${seconds} >= ${AT_LEAST_BAD}`,
  ].join('\nand ');
}
