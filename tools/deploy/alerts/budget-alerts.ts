import { type Alert, type AlertCase, growing, type Series } from './alert.ts';
import { BURNS, burns, type Objective, OBJECTIVES } from './objectives.ts';

/** Six hundred of a thing a minute, so many of them bad, as the metrics of an objective would tell. */
type Story = (badPerMinute: number, allPerMinute?: number) => Series[];

const ROUTE = { method: 'GET', route: '/v1/billing/balance' };

function timed(histogram: string, le: string, labels: Record<string, string> = {}): Story {
  return (bad, all = 600) => [
    growing(`${histogram}_count`, all, labels, 80),
    growing(`${histogram}_bucket`, all - bad, { ...labels, le }, 80),
  ];
}

const STORIES: Record<string, Story> = {
  ApiErrorBudgetBurns: (bad, all = 600) => [
    growing('http_request_duration_seconds_count', all - bad, { ...ROUTE, status: '200' }, 80),
    growing('http_request_duration_seconds_count', bad, { ...ROUTE, status: '503' }, 80),
  ],
  ApiLatencyBudgetBurns: timed('http_request_duration_seconds', '0.25', { ...ROUTE, status: '200' }),
  SealLatencyBudgetBurns: timed('seal_latency_seconds', '5'),
  FirstAttemptBudgetBurns: timed('delivery_first_attempt_seconds', '2'),
};

const AT = '70m';

/** Twenty times, nine times and three times what may be bad; and one bad one of two, which is no trend. */
function casesOf({ alert, target }: Objective): AlertCase[] {
  const story = STORIES[alert];
  if (story === undefined) throw new Error(`${alert} has no story to be tested with`);
  const times = (factor: number) => story(Number((factor * (1 - target) * 600).toPrecision(6)));
  const few = story(1, 2).map((series) => ({ ...series, values: series.values.replace(/x\d+$/, 'x1') }));
  const [page, ticket] = BURNS.map(({ severity, long }) => ({ severity, window: long }));
  return [
    { series: times(20), at: AT, fires: [{ ...page }, { ...ticket }] },
    { series: times(9), at: AT, fires: [{ ...ticket }] },
    { series: times(3), at: AT, fires: [] },
    { series: few, at: '4m', fires: [] },
  ];
}

/** An alert per objective and speed: the fast one wakes somebody, the slow one waits for the morning. */
export const BUDGET_ALERTS: readonly Alert[] = OBJECTIVES.flatMap((objective) =>
  BURNS.map((burn, index) => ({
    alert: objective.alert,
    severity: burn.severity,
    for: '2m',
    summary: `Not kept: ${objective.promise}. The budget of 30 days goes ${burn.factor} times as fast as it may, over ${burn.long}.`,
    labels: { window: burn.long },
    concerns: objective.holdsFor,
    expr: (scope) => burns(objective, burn, scope),
    cases: index === 0 ? casesOf(objective) : [],
  })),
);
