import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bundle } from '@constancia/bundling';
import { ChildNotStarted, ChildPool, ChildPoolBusy, type ChildPoolOptions } from './child-pool.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-pool-'));
let program: Promise<string> | undefined;

/** A child that does what the head of a question says. */
function obedient(): Promise<string> {
  program ??= (async () => {
    const entry = path.join(import.meta.dirname, 'obedient-child.fixture.ts');
    await bundle({ entries: { child: entry }, outDir: folder });
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    return path.join(folder, 'child.js');
  })();
  return program;
}

const pools: ChildPool[] = [];
function pool(changes: Partial<ChildPoolOptions> = {}): ChildPool {
  const made = new ChildPool({ program: obedient, processes: 1, memoryMb: 256, ...changes });
  pools.push(made);
  return made;
}

describe('a pool of child processes', { timeout: 60_000 }, () => {
  afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));

  it('gives each question to one child, and lets a child answer many', async () => {
    const children = pool();
    const [first, second] = [await children.ask('pid', [], 10_000), await children.ask('pid', [], 10_000)];
    expect(first.head).toBe(second.head);
    expect(children.pids).toEqual([first.head]);
  });

  it('works on as many at a time as there are processes; the rest wait in their order', async () => {
    const children = pool({ processes: 2 });
    await children.start();
    const done: number[] = [];
    await Promise.all([0, 1, 2, 3].map((nth) => children.ask('slow', [], 10_000).then(() => done.push(nth))));
    expect(done.slice(2).sort()).toEqual([2, 3]);
    expect(children.pids).toHaveLength(2);
  });

  it('has no more children than places when it is asked while they start', async () => {
    const children = pool();
    const [, { head }] = await Promise.all([children.start(), children.ask('pid', [], 10_000)]);
    expect(children.pids).toEqual([head]);
  });

  it('starts those that are missing beside one that works already', async () => {
    const children = pool({ processes: 2 });
    await children.ask('pid', [], 10_000);
    await children.start();
    expect(children.pids).toHaveLength(2);
  });

  it('refuses what is too much to wait', async () => {
    const children = pool({ waiting: 1 });
    const results = await Promise.allSettled([0, 1, 2].map(() => children.ask('slow', [], 10_000)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(ChildPoolBusy);
  });

  it.each([
    ['exit', 'exit'],
    ['abort', 'memory'],
    ['kill', 'signal'],
    ['hang', 'deadline'],
  ])('loses only the question whose child ends (%s: %s), and answers the next by another child', async (doing, end) => {
    const children = pool();
    const { head: before } = await children.ask('pid', [], 10_000);
    await expect(children.ask(doing, [], 1_000)).rejects.toMatchObject({ name: 'ChildLost', end });
    expect((await children.ask('pid', [], 10_000)).head).not.toBe(before);
  });

  it.each([
    ['buffers that the system refuses', 'devour', true, 'exit'],
    ['objects that the heap refuses', 'litter', true, 'memory'],
    ['buffers where nothing is refused', 'devour', false, 'memory'],
  ])('ends a child that goes over its bound of memory: %s', async (_, doing, limited, end) => {
    const children = pool({ limited });
    const { head: before } = await children.ask('pid', [], 10_000);
    await expect(children.ask(doing, [], 30_000)).rejects.toMatchObject({ name: 'ChildLost', end });
    expect((await children.ask('pid', [], 10_000)).head).not.toBe(before);
  });

  it.skipIf(process.platform !== 'linux')(
    'lets a child have nearly all of its bound, whatever Node reserves',
    async () => {
      const children = pool({ wornShare: 1 });
      const { head: before } = await children.ask('pid', [], 10_000);
      await children.ask('grow', [], 10_000);
      expect((await children.ask('pid', [], 10_000)).head).toBe(before);
    },
  );

  it.skipIf(process.platform !== 'linux')('offers its children first when the machine is short of memory', async () => {
    const { head: pid } = await pool().ask('pid', [], 10_000);
    expect(fs.readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  });

  it('replaces a child whose memory has grown', async () => {
    const children = pool({ memoryMb: 256 });
    const { head: before } = await children.ask('pid', [], 10_000);
    await children.ask('grow', [], 10_000);
    expect((await children.ask('pid', [], 10_000)).head).not.toBe(before);
  });

  it('says so when no child starts, and gives the place back', async () => {
    const children = pool({ program: () => Promise.resolve('/nowhere/child.js') });
    for (let nth = 0; nth < 2; nth++) await expect(children.ask('pid', [], 1_000)).rejects.toThrow(ChildNotStarted);
  });

  it('lets a child be asked several times in a row by one, and takes it back also when that one fails', async () => {
    const children = pool();
    const pids = await children.use(async (child) => {
      const both = [await child.ask('pid', [], 10_000), await child.ask('pid', [], 10_000)];
      return both.map(({ head }) => head);
    });
    expect(pids[0]).toBe(pids[1]);
    await expect(children.use(() => Promise.reject(new Error('of its own')))).rejects.toThrow('of its own');
    expect((await children.ask('pid', [], 10_000)).head).toBe(pids[0]);
    expect(children.pids).toEqual([pids[0]]);
  });

  it('lets what is in progress end when it is drained, and refuses what waits', async () => {
    const children = pool();
    await children.start();
    const [inHand, waiting] = [children.ask('slow', [], 10_000), children.ask('slow', [], 10_000)];
    const refused = expect(waiting).rejects.toThrow(ChildPoolBusy);
    const { pids } = children;
    await children.drain();
    expect((await inHand).head).toBe(pids[0]);
    await refused;
    expect(() => process.kill(pids[0] as number, 0)).toThrow();
  });

  it('takes nothing and leaves no process behind once it is closed', async () => {
    const children = pool();
    const { head: pid } = await children.ask('pid', [], 10_000);
    await children.close();
    expect(() => process.kill(pid as number, 0)).toThrow();
    await expect(children.ask('pid', [], 1_000)).rejects.toThrow(ChildPoolBusy);
  });
});
