import { sleep } from '@constancia/kernel';

const LOOK_EVERY_MS = 50;

/** Looks until what it sees is settled or the time is over, and answers what it saw last. */
export async function settledWithin<Seen>(
  ms: number,
  look: () => Promise<Seen>,
  settled: (seen: Seen) => boolean,
): Promise<Seen> {
  const deadline = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (settled(seen) || performance.now() >= deadline) return seen;
    await sleep(LOOK_EVERY_MS);
  }
}
