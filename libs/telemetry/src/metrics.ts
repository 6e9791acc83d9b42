import { endsWithin } from '@constancia/kernel';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Seconds; from a cached GET to a request that waits for a worker. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What a figure may take to be collected; a scrape ends after ten. */
const COLLECT_MS = 3_000;

/**
 * The metrics of one process (prom-client). Asking twice for a name gives the same metric. Labels are few and bounded: a route
 * template, never a path; never a tenant.
 */
export class Metrics {
  readonly registry = new Registry();

  constructor(options: { app: string; runtime?: boolean }) {
    this.registry.setDefaultLabels({ app: options.app });
    if (options.runtime) collectDefaultMetrics({ register: this.registry });
  }

  /** A counter; its name ends in _total. */
  counter<L extends string = string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return (
      (this.registry.getSingleMetric(name) as Counter<L> | undefined) ??
      new Counter({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** A histogram; its unit is in its name, seconds unless it says otherwise. */
  histogram<L extends string = string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: number[] = SECONDS,
  ): Histogram<L> {
    return (
      (this.registry.getSingleMetric(name) as Histogram<L> | undefined) ??
      new Histogram({ name, help, labelNames, buckets, registers: [this.registry] })
    );
  }

  /**
   * A gauge; `collect`, when given, is asked at every scrape and sets it. When it throws or takes too long, the gauge is left out of
   * that scrape and `metric_failures_total` counts it.
   */
  gauge<L extends string = string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ): Gauge<L> {
    const known = this.registry.getSingleMetric(name) as Gauge<L> | undefined;
    if (known !== undefined) return known;
    const failures = this.counter('metric_failures_total', 'Figures that could not be collected for a scrape', [
      'metric',
    ]);
    const collected = async (gauge: Gauge<L>): Promise<void> => {
      try {
        await inTime(collect?.(gauge));
      } catch {
        // Left out of this scrape: the other figures are needed most of all when something is unavailable.
        if (labelNames.length > 0) gauge.reset();
        else gauge.remove();
        failures.inc({ metric: name });
      }
    };
    return new Gauge<L>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect === undefined
        ? {}
        : {
            collect: function (this: Gauge<L>) {
              return collected(this);
            } as () => Promise<void>,
          }),
    });
  }

  /** The exposition text of every metric. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

async function inTime(work: void | Promise<void>): Promise<void> {
  if (!(await endsWithin(COLLECT_MS, Promise.resolve(work)))) throw new Error('late');
}
