import type { CheckedFetch } from '@constancia/testing';

/** What is measured of one kind of request. Milliseconds. */
export interface Figures {
  answered: number;
  refused: number;
  p50: number;
  p99: number;
}

/** Of the newest requests of a kind, times are kept. */
const KEPT = 2_000;

/** A fetch that counts and times what it sends, by the kind of request. */
export class Meter {
  private readonly kinds = new Map<string, { answered: number; refused: number; times: number[] }>();

  readonly fetch: CheckedFetch = async (input, init) => {
    const kind = kindOf(input instanceof Request ? input.url : String(input));
    const began = performance.now();
    const response = await fetch(input, init);
    const figures = this.kinds.get(kind) ?? { answered: 0, refused: 0, times: [] };
    this.kinds.set(kind, figures);
    figures.times[(figures.answered + figures.refused) % KEPT] = performance.now() - began;
    if (response.status < 400) figures.answered += 1;
    else figures.refused += 1;
    return response;
  };

  of(kind: string): Figures {
    const { answered = 0, refused = 0, times = [] } = this.kinds.get(kind) ?? {};
    const sorted = [...times].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { answered, refused, p50: at(0.5), p99: at(0.99) };
  }
}

/** The resource of the API: "screenings" of /v1/screenings/scr_1. */
const kindOf = (url: string): string => new URL(url).pathname.split('/')[2] ?? '';
