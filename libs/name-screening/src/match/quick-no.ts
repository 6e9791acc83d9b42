import type { ListIndex } from '../index/list-index.ts';
import type { NamePartition } from '../index/name-partition.ts';
import { hash32 } from '../normalise/hash.ts';
import { identifierCores } from '../normalise/identifier.ts';
import { formsOf, type NameForm, readText } from '../normalise/tokenise.ts';
import { hasWord, joinsOf } from './compared-name.ts';
import type { ListSet } from './list-set.ts';
import { wordOf } from './prepared-query.ts';
import type { ScreeningQuery } from './screening-query.ts';
import { similarity } from './token-similarity.ts';
import type { TokenTraits } from './token-traits.ts';

/**
 * Tells of most queries in a fraction of the time that a few entries cannot match them: no word of the query, and no two that are
 * written as one, come near any word of theirs. For a small set and many queries; words are remembered for as long as it lives.
 */
export class QuickNo {
  private readonly touching = new Map<string, boolean>();

  constructor(private readonly set: ListSet) {}

  /** False: `match` finds nothing for this query. True: it may find something. */
  mayMatch(query: ScreeningQuery): boolean {
    if (this.sharesIdentifier(query)) return true;
    const read = readText(query.fullName);
    return (['person', 'organisation'] as const).some(
      (mode) =>
        this.set.indexes.some((index) => index.parts[mode].size > 0) &&
        formsOf(read, mode).some((form) => this.formTouches(form)),
    );
  }

  private formTouches(form: NameForm): boolean {
    const { tokens } = form;
    if (!hasWord(tokens)) return tokens.length > 0; // found by equal ones only: let match look
    if (tokens.some(({ text, role }) => role === 'word' && this.wordTouches(text))) return true;
    return joinsOf(tokens).some(({ key, compound }) =>
      this.set.indexes.some(({ parts }) => has(parts, key) || (compound !== 0 && has(parts, compound))),
    );
  }

  private wordTouches(text: string): boolean {
    const known = this.touching.get(text);
    if (known !== undefined) return known;
    const { traits, keys } = wordOf(text);
    const touches = this.set.indexes.some(
      ({ parts }) =>
        isNear(parts, traits, keys) || isJoined(parts.person, traits) || isJoined(parts.organisation, traits),
    );
    this.touching.set(text, touches);
    return touches;
  }

  private sharesIdentifier({ documents = [] }: ScreeningQuery): boolean {
    if (documents.length === 0) return false;
    const hashes = documents.flatMap((document) => identifierCores(document).map((core) => hash32(core)));
    return this.set.indexes.some(({ parts }) => hashes.some((hash) => hasAny(parts.identifiers, hash)));
  }
}

type Parts = ListIndex['parts'];
interface Postings {
  each(key: number, found: (value: number) => void): void;
}

function hasAny(postings: Postings, key: number): boolean {
  let found = false;
  postings.each(key, () => (found = true));
  return found;
}

const has = ({ wordKeys }: Parts, key: number) => hasAny(wordKeys, key);

function isNear({ wordKeys, words }: Parts, traits: TokenTraits, keys: readonly number[]): boolean {
  let near = false;
  for (const key of keys) wordKeys.each(key, (id) => (near ||= similarity(traits, words[id] as TokenTraits) > 0));
  return near;
}

const isJoined = ({ joins }: NamePartition, { fold, compound }: TokenTraits): boolean =>
  (fold !== 0 && hasAny(joins, fold)) || (compound !== 0 && hasAny(joins, compound));
