import { afterEach, describe, expect, it, vi } from 'vitest';
import { LeaseWorker } from './lease-worker.ts';
import { LeasedWork, type LeasedWorkOptions } from './leased-work.ts';

interface Piece {
  lease_token: string;
}

/** A third of the lease, and the runner's jitter. */
const EXTENDED_AFTER_MS = 11_000;

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
  work = ({ lease_token }: Piece): Promise<void> =>
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
    work: list.work,
    concurrency: 2,
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

  it('begins as many pieces as its concurrency, and the next piece when one ends', async () => {
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

  it('claims in batches, and waits for the room of a whole one while more than one is in progress', async () => {
    const list = new ListedWork(tokens(9));
    const work = workOn(list, { concurrency: 6, batch: 2 });
    await work.wake();
    expect(list.asked).toEqual([2, 2, 2]);
    await list.end('w0');
    expect(list.asked).toHaveLength(3);
    await list.end('w1');
    expect(list.asked).toHaveLength(4);
    expect(list.inHand).toEqual(['w2', 'w3', 'w4', 'w5', 'w6', 'w7']);
  });

  it('extends the leases of what is in progress, and only of that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const list = new ListedWork(tokens(2));
    const work = workOn(list);
    await vi.advanceTimersByTimeAsync(EXTENDED_AFTER_MS);
    await work.wake();
    await vi.advanceTimersByTimeAsync(EXTENDED_AFTER_MS);
    await list.end('w0');
    await vi.advanceTimersByTimeAsync(EXTENDED_AFTER_MS);
    expect(list.extended).toEqual([['w0', 'w1'], ['w1']]);
  });

  it('goes on when leases could not be extended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const list = new ListedWork(tokens(1));
    const away = new Error('away');
    const work = workOn(list, { store: { claim: list.claim, extend: () => Promise.reject(away) } });
    await work.wake();
    await vi.advanceTimersByTimeAsync(EXTENDED_AFTER_MS);
    expect(warned).toEqual([{ job: 'lease-extension', error: away }]);
    expect(list.inHand).toEqual(['w0']);
  });

  it('extends leases in time though one call to extend them never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const list = new ListedWork(tokens(1));
    const hangsOnce = vi.fn(list.extend).mockImplementationOnce(() => new Promise(() => undefined));
    const work = workOn(list, { store: { claim: list.claim, extend: hangsOnce } });
    await work.wake();
    await vi.advanceTimersByTimeAsync(29_000); // the lease is of 30 s
    expect(list.extended).toEqual([['w0']]);
    expect(warned).toEqual([expect.objectContaining({ job: 'lease-extension' })]);
  });

  it('rejects when the store is unavailable', async () => {
    const list = new ListedWork([]);
    const work = workOn(list, { store: { claim: () => Promise.reject(new Error('away')), extend: list.extend } });
    await expect(work.wake()).rejects.toThrow('away');
  });

  it('claims nothing after its close, and its close waits for what is in progress', async () => {
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

  it('of a provider is claimed no more as soon as the app closes, and ends before its connections close', async () => {
    const list = new ListedWork(tokens(4));
    class Worker extends LeaseWorker<Piece> {}
    const options = { store: list, work: list.work, concurrency: 2, leaseSeconds: 30, sweepEveryMs: 1_000 };
    const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const worker = new Worker({ every: vi.fn() } as never, { ...options, queue: 'sealing', logger });
    await worker.wake();
    worker.onModuleDestroy();
    await list.end('w0');
    await worker.wake();
    expect(list.inHand).toEqual(['w1']);
    const closing = worker.beforeApplicationShutdown();
    await list.end('w1');
    await closing;
    expect(list.asked).toEqual([2]);
  });
});
