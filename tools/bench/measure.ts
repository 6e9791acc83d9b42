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
