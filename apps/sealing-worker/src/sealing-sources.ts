import type { LeaseStore } from '@constancia/queue';
import type { SealingSource, SealingWork } from './sealing-work.ts';

/** Work of every kind as one: none of them waits because there is much of another. */
export class SealingSources implements LeaseStore<SealingWork> {
  private claims = 0;

  constructor(private readonly sources: readonly SealingSource[]) {}

  /** Each source may give its share, another one first each time; what one leaves free, those that have more fill. */
  async claim(limit: number): Promise<SealingWork[]> {
    const claimed: SealingWork[] = [];
    const first = this.claims++ % this.sources.length;
    let asked = [...this.sources.slice(first), ...this.sources.slice(0, first)];
    while (asked.length > 0 && claimed.length < limit) {
      const withMore: SealingSource[] = [];
      for (const [nth, source] of asked.entries()) {
        const share = Math.ceil((limit - claimed.length) / (asked.length - nth));
        if (share === 0) break;
        const works = await source.claim(share);
        claimed.push(...works);
        if (works.length === share) withMore.push(source);
      }
      asked = withMore;
    }
    return claimed;
  }

  async extend(works: readonly SealingWork[]): Promise<void> {
    for (const source of this.sources) {
      const own = works.filter(({ kind }) => kind === source.kind);
      if (own.length > 0) await source.extend(own);
    }
  }
}
