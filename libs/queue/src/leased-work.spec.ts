import { afterEach, describe, expect, it, vi } from 'vitest';
import { LeasedWork, type LeasedWorkOptions } from './leased-work.ts';

interface Piece {
  lease_token: string;
}

/** Work that stands in a list, and what was asked of it. */
class ListedWork {
  readonly asked: number[] = [];
  readonly extended: string[][] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly waiting: string[]) {}

  claim = async (limit: number): Promise<Piece[]> => {
    this.asked.push(limit);
    return this.waiting.splice(0, limit).map((lease_token) => ({ lease_token }));
  };
  extend = async (pieces: readonly Piece[]): Promise<void> => {
    this.extended.push(pieces.map(({ lease_token }) => lease_token));
  };
  carryOut = ({ lease_token }: Piece): Promise<void> =>
    new Promise((resolve) => this.ends.set(lease_token, () => resolve(void this.ends.delete(lease_token))));

  get inHand(): string[] {
    return [...this.ends.keys()];
  }
  async end(...tokens: string[]): Promise<void> {
    for (const token of tokens) this.ends.get(token)?.();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const tokens = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
const warned: unknown[] = [];

function workOn(list: ListedWork, options: Partial<LeasedWorkOptions<Piece>> = {}): LeasedWork<Piece> {
  return new LeasedWork<Piece>({
    store: list,
    carryOut: list.carryOut,
    places: 2,
    leaseSeconds: 30,
    logger: { warn: (details) => void warned.push(details) },
    ...options,
  });
}

describe('leased work', () => {
  afterEach(() => {
    vi.useRealTimers();
    warned.length = 0;
  });

  it('takes as much in hand as there are places, and the next piece when one ends', async () => {
    const list = new ListedWork(tokens(3));
    const work = workOn(list);
    await work.wake();
    expect(list.inHand).toEqual(['w0', 'w1']);
    await list.end('w0');
    expect(list.inHand).toEqual(['w1', 'w2']);
    await list.end('w1', 'w2');
    expect(list.inHand).toEqual([]);
  });

  it('does not ask again when a claim brought less than it asked for', async () => {
    const list = new ListedWork(tokens(1));
    const work = workOn(list);
    await work.wake();
    await list.end('w0');
    expect(list.asked).toEqual([2]);
  });

  it('claims in batches, and waits for the room of a whole one while more than one is in hand', async () => {
    const list = new ListedWork(tokens(9));
    const work = workOn(list, { places: 6, batch: 2 });
    await work.wake();
    expect(list.asked).toEqual([2, 2, 2]);
    await list.end('w0');
    expect(list.asked).toHaveLength(3);
    await list.end('w1');
    expect(list.asked).toHaveLength(4);
    expect(list.inHand).toEqual(['w2', 'w3', 'w4', 'w5', 'w6', 'w7']);
  });

  it('extends the leases of what is in hand, and only of that', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const list = new ListedWork(tokens(2));
    const work = workOn(list);
    vi.advanceTimersByTime(10_000);
    await work.wake();
    vi.advanceTimersByTime(10_000);
    await list.end('w0');
    vi.advanceTimersByTime(10_000);
    expect(list.extended).toEqual([['w0', 'w1'], ['w1']]);
  });

  it('goes on when leases could not be extended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const list = new ListedWork(tokens(1));
    const away = new Error('away');
    const work = workOn(list, { store: { claim: list.claim, extend: () => Promise.reject(away) } });
    await work.wake();
    vi.advanceTimersByTime(10_000);
    await settled();
    expect(warned).toEqual([{ error: away }]);
    expect(list.inHand).toEqual(['w0']);
  });

  it('tells who woke it that the store is away', async () => {
    const list = new ListedWork([]);
    const work = workOn(list, { store: { claim: () => Promise.reject(new Error('away')), extend: list.extend } });
    await expect(work.wake()).rejects.toThrow('away');
  });

  it('claims nothing after its close, and its close waits for what is in hand', async () => {
    const list = new ListedWork(tokens(3));
    const work = workOn(list);
    await work.wake();
    let closed = false;
    const closing = work.close().then(() => (closed = true));
    await list.end('w0');
    expect(closed).toBe(false);
    await list.end('w1');
    await closing;
    await work.wake();
    expect(list.inHand).toEqual([]);
  });
});
