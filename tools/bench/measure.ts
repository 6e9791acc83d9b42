import { sleep } from '@constancia/kernel';

/** One line of docs/benchmarks.md. */
export interface BenchRow {
  name: string;
  ours: string;
  other: string;
  ratio: number | null;
  goal: string;
}

/** Calls `work` from `callers` loops for `ms` milliseconds; answers completions per second. */
export async function perSecond(
  callers: number,
  ms: number,
  work: (lane: number) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  const until = started + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, lane) => {
      while (performance.now() < until) {
        await work(lane);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1000);
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** The nearest-rank percentile: the least value that `share` (0 to 1) of all of them do not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] as number;

/** Percentiles of milliseconds, in words: "p50 1.2 ms, p99 3.4 ms". */
export const percentilesOf = (ms: readonly number[], shares = [0.5, 0.95, 0.99]): string =>
  shares.map((share) => `p${share * 100} ${percentile(ms, share).toFixed(1)} ms`).join(', ');

/**
 * Sends `count` requests at their times, whether earlier ones were answered or not.
 *
 * @returns the milliseconds of each from when it was due to its answer: waiting counts
 */
export function atRate(perSecond: number, count: number, send: (nth: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const due = began + (nth * 1_000) / perSecond;
      await sleep(Math.max(0, due - performance.now()));
      await send(nth);
      return performance.now() - due;
    }),
  );
}

/** Runs both sides in turn, `rounds` times, and takes the median of the ratios: neighbours in time are comparable. */
export async function compare(
  rounds: number,
  ours: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ ours: number; other: number; ratio: number; ratios: number[] }> {
  const results: { ours: number; other: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(round % 2 === 0 ? await inOrder(ours, other) : await inReverse(ours, other));
  }
  const ratios = results.map((result) => result.ours / result.other);
  return {
    ours: median(results.map((result) => result.ours)),
    other: median(results.map((result) => result.other)),
    ratio: median(ratios),
    ratios,
  };
}

async function inOrder(ours: () => Promise<number>, other: () => Promise<number>) {
  const first = await ours();
  return { ours: first, other: await other() };
}

async function inReverse(ours: () => Promise<number>, other: () => Promise<number>) {
  const first = await other();
  return { ours: await ours(), other: first };
}

/** Prints a row and, as the last line of a bench, hands it to the runner. */
export function report(rows: BenchRow[]): void {
  for (const row of rows) {
    console.log(
      `${row.name}: ${row.ours} against ${row.other}, ratio ${row.ratio?.toFixed(2) ?? '–'} (goal ${row.goal})`,
    );
  }
  console.log(`BENCH ${JSON.stringify(rows)}`);
}
