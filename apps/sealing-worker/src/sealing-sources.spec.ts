import { expect, it } from 'vitest';
import { SealingSources } from './sealing-sources.ts';
import type { SealingKind, SealingSource, SealingWork } from './sealing-work.ts';

/** A source with so much work, which remembers the leases that it prolonged. */
function sourceOf(kind: SealingKind, works: number): SealingSource & { prolonged: string[] } {
  let next = 0;
  const prolonged: string[] = [];
  return {
    kind,
    prolonged,
    claim: (limit) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, works - next) }, () => ({ kind, id: `${kind}-${next++}` }) as SealingWork),
      ),
    extend: (held) => Promise.resolve(prolonged.push(...held.map(({ id }) => id))),
    backlog: () => Promise.resolve({ waiting: works - next, oldestSeconds: 0 }),
  };
}

it.each([
  ['both have more than enough', 50, 50, [5, 5]],
  ['one has nothing', 0, 50, [0, 10]],
  ['the other has nothing', 50, 0, [10, 0]],
  ['one has little', 2, 50, [2, 8]],
  ['the other has little', 50, 2, [8, 2]],
  ['neither has enough', 3, 1, [3, 1]],
  ['nobody has anything', 0, 0, [0, 0]],
])('of ten pieces of work each source gives its share: %s', async (_, envelopes, signatures, shares) => {
  const sources = new SealingSources([sourceOf('envelope', envelopes), sourceOf('signature', signatures)]);
  const works = await sources.claim(10);
  expect(['envelope', 'signature'].map((kind) => works.filter((work) => work.kind === kind).length)).toEqual(shares);
});

it('one place is not left to one source for ever', async () => {
  const sources = new SealingSources([sourceOf('envelope', 9), sourceOf('signature', 9)]);
  const kinds = [];
  for (let nth = 0; nth < 4; nth++) kinds.push((await sources.claim(1))[0]?.kind);
  expect(kinds).toEqual(['envelope', 'signature', 'envelope', 'signature']);
});

it('leases are prolonged where they were given', async () => {
  const [envelopes, signatures] = [sourceOf('envelope', 2), sourceOf('signature', 1)];
  const sources = new SealingSources([envelopes, signatures]);
  await sources.extend(await sources.claim(3));
  expect([envelopes.prolonged, signatures.prolonged]).toEqual([['envelope-0', 'envelope-1'], ['signature-0']]);
});
