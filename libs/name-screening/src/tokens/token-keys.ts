import { hash32 } from '../normalise/hash.ts';
import { eachDeletionKey } from './deletion-keys.ts';
import { KEY, type TokenTraits } from './token-traits.ts';

/** Four times the keys of a word with the most of them. */
const SLOTS = 512;

/** Numbers, each once, in the order in which they came. Used again for each word. */
class DistinctNumbers {
  readonly list: number[] = [];
  private readonly slots = new Uint32Array(SLOTS);
  private readonly rounds = new Uint32Array(SLOTS);
  private round = 0;

  clear(): void {
    this.list.length = 0;
    if (++this.round === 0xffffffff) {
      this.rounds.fill(0);
      this.round = 1;
    }
  }

  readonly add = (value: number): void => {
    let slot = value & (SLOTS - 1);
    while (this.rounds[slot] === this.round) {
      if (this.slots[slot] === value) return;
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.rounds[slot] = this.round;
    this.slots[slot] = value;
    this.list.push(value);
  };
}

const distinct = new DistinctNumbers();

/** The keys under which a word is indexed and looked up. Unsigned 32 bits, each once. */
export function tokenKeys(traits: TokenTraits): number[] {
  return [...distinctKeys(traits)];
}

/** The same as tokenKeys, in an array that the next call uses again. */
export function distinctKeys(traits: TokenTraits): readonly number[] {
  distinct.clear();
  distinct.add(hash32(traits.text, KEY.text));
  for (const key of [traits.fold, traits.skeleton, traits.sound, traits.mandarin, traits.compound])
    if (key !== 0) distinct.add(key);
  for (const id of traits.known) distinct.add(groupKey(id));
  for (const id of traits.nicknames) distinct.add(groupKey(id));
  if (!traits.digits) eachDeletionKey(traits.text, distinct.add);
  return distinct.list;
}

const groupKey = (id: number) => hash32(String(id), KEY.group);
