import { FNV_START, fnvStep, mix } from '../normalise/hash.ts';
import { KEY } from './token-traits.ts';

/** Deletion keys are made of the beginning of a word: two words within k edits share one made of k deletions of it. */
const DELETION_PREFIX = 10;

const start = (FNV_START ^ KEY.deletion) >>> 0;
/** The hash after each letter of the word at hand, not mixed yet. */
const before = new Int32Array(DELETION_PREFIX + 1);

/** Edits that are forgiven, by the length of the shorter word. */
export const editsAllowed = (length: number): number => (length < 3 ? 0 : length < 6 ? 1 : 2);

/**
 * Hashes (hash32 with KEY.deletion) of the word's beginning with none, one and two letters deleted, as many as editsAllowed; some
 * more than once. Worked out from the letters: there are 56 of them for a long word.
 */
export function eachDeletionKey(text: string, found: (key: number) => void): void {
  const length = Math.min(text.length, DELETION_PREFIX);
  const deletions = editsAllowed(text.length);
  before[0] = start;
  for (let at = 0; at < length; at++) before[at + 1] = fnvStep(before[at] as number, text.charCodeAt(at));
  found(mix(before[length] as number));
  if (deletions === 0) return;
  for (let at = 0; at < length; at++) found(mix(hashOn(before[at] as number, text, at + 1, length)));
  if (deletions === 1) return;
  for (let one = 0; one < length; one++) {
    let hash = before[one] as number;
    for (let two = one + 1; two < length; two++) {
      found(mix(hashOn(hash, text, two + 1, length)));
      hash = fnvStep(hash, text.charCodeAt(two));
    }
  }
}

function hashOn(hash: number, text: string, from: number, to: number): number {
  let value = hash;
  for (let at = from; at < to; at++) value = fnvStep(value, text.charCodeAt(at));
  return value;
}
