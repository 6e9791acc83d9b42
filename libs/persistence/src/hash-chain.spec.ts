import { describe, expect, it } from 'vitest';
import { type ChainedEvent, eventHash, verifyChain } from './hash-chain.ts';

interface NoteEvent extends ChainedEvent {
  body: string;
}

function chainOf(...bodies: string[]): NoteEvent[] {
  const events: NoteEvent[] = [];
  for (const body of bodies) {
    const event = { seq: events.length + 1, body, prev_hash: events.at(-1)?.hash ?? '0'.repeat(64), hash: '' };
    events.push({ ...event, hash: eventHash(event) });
  }
  return events;
}

const rehashed = (event: NoteEvent): NoteEvent => ({ ...event, hash: eventHash(event) });

describe('verifyChain', () => {
  it('computes the hash over prev_hash and the canonical event, prev_hash included', () => {
    // sha256sum of 64 zeros and {"body":"é","prev_hash":"000…","seq":1}
    expect(chainOf('é')[0]?.hash).toBe('e051287be8a5a59e58c7a9d128e4287c340166c913cd75011145792780f49eaa');
  });

  it('accepts a whole chain, and an empty one', () => {
    const events = chainOf('a', 'b', 'c');
    expect(verifyChain(events)).toEqual({ valid: true, head: { seq: 3, hash: events[2]?.hash } });
    expect(verifyChain([])).toEqual({ valid: true, head: null });
  });

  it('goes on from a link whose chain before it is elsewhere', () => {
    const [, b, ...rest] = chainOf('a', 'b', 'c', 'd') as [NoteEvent, NoteEvent, NoteEvent, NoteEvent];
    const moved = { seq: b.seq, hash: b.hash };
    const last = { seq: 4, hash: rest.at(-1)?.hash as string };
    expect(verifyChain(rest, [{ seq: 1, hash: 'not looked at' }, last], moved)).toEqual({ valid: true, head: last });
    expect(verifyChain([], [moved], moved)).toEqual({ valid: true, head: moved });
    expect(verifyChain(rest, [], { ...moved, hash: 'x' })).toEqual({ valid: false, seq: 3, fault: 'broken_link' });
    expect(verifyChain(rest.slice(1), [], moved)).toEqual({ valid: false, seq: 3, fault: 'gap' });
    expect(verifyChain(rest.slice(0, 1), [last], moved)).toEqual({ valid: false, seq: 4, fault: 'truncated' });
  });

  it.each<[string, (events: NoteEvent[]) => NoteEvent[], object]>([
    ['a changed member', ([a, b, c]) => [a!, { ...b!, body: 'x' }, c!], { seq: 2, fault: 'altered' }],
    ['an added member', ([a, b, c]) => [a!, { ...b!, more: 1 } as NoteEvent, c!], { seq: 2, fault: 'altered' }],
    ['a removed event', ([a, , c]) => [a!, c!], { seq: 2, fault: 'gap' }],
    ['a removed first event', ([, b, c]) => [b!, c!], { seq: 1, fault: 'gap' }],
    ['swapped events', ([a, b, c]) => [a!, c!, b!], { seq: 2, fault: 'gap' }],
    [
      'a rewritten and re-hashed event',
      ([a, b, c]) => [a!, rehashed({ ...b!, body: 'x' }), c!],
      { seq: 3, fault: 'broken_link' },
    ],
    ['a repeated event', ([a, b, c]) => [a!, b!, b!, c!], { seq: 3, fault: 'gap' }],
    ['a cut tail, when the head is known', ([a, b]) => [a!, b!], { seq: 3, fault: 'truncated' }],
    ['a whole new chain, when the head is known', () => chainOf('a', 'b', 'x'), { seq: 3, fault: 'replaced' }],
  ])('finds %s', (_, tamper, verdict) => {
    const events = chainOf('a', 'b', 'c');
    const head = { seq: 3, hash: (events[2] as NoteEvent).hash };
    expect(verifyChain(tamper(events), [head])).toEqual({ valid: false, ...verdict });
  });
});
