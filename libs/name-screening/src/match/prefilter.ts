import type { ListIndex } from '../index/list-index.ts';
import type { NamePartition } from '../index/name-partition.ts';
import { hash32 } from '../normalise/hash.ts';
import { identifierCores } from '../normalise/identifier.ts';
import { formsOf, type NameForm, type NameMode, readText } from '../normalise/tokenise.ts';
import { comparedName, hasWord, joinsOf, totalWeight } from '../tokens/compared-name.ts';
import { MOST_ADDED } from './evidence.ts';
import type { ListSet } from './list-set.ts';
import { SLACK } from './name-search.ts';
import { boundOfRest } from './name-sums.ts';
import { minorWeight, wordOf } from './prepared-query.ts';
import type { ScreeningQuery } from './screening-query.ts';
import { similarity } from '../tokens/token-similarity.ts';
import { type TokenTraits, weightIn } from '../tokens/token-traits.ts';
import { DEFAULT_NEAR } from '../version.ts';

/** Names whose bound is below this are no match, whatever else agrees. */
const LEAST = DEFAULT_NEAR - MOST_ADDED - SLACK;

/** What a word of the query has to do with the names of a few entries that are read in one mode. */
interface Meeting {
  /** It comes near a word of theirs. */
  near: boolean;
  /** More than its weight may follow from it: it is two words of theirs, or one beside a letter that may stand for any word. */
  open: boolean;
}

/**
 * Rules out most queries in a fraction of the time of a match: the words of the query that resemble any word of the entries weigh too
 * little for a match, even if all belonged to one entry. For a small set and many queries; results per word are cached.
 */
export class Prefilter {
  private readonly meetings: Record<NameMode, Map<string, Meeting>> = { person: new Map(), organisation: new Map() };
  private readonly modes: readonly NameMode[];

  constructor(private readonly set: ListSet) {
    this.modes = (['person', 'organisation'] as const).filter((mode) =>
      set.indexes.some((index) => index.parts[mode].size > 0),
    );
  }

  /** False: `match` finds nothing for this query, unless it is given another `near`. True: it may find something. */
  mayMatch(query: ScreeningQuery): boolean {
    if (this.sharesIdentifier(query)) return true;
    const read = readText(query.fullName);
    return this.modes.some((mode) => formsOf(read, mode).some((form) => this.formMayMatch(form, mode)));
  }

  private formMayMatch(form: NameForm, mode: NameMode): boolean {
    const { tokens } = form;
    if (!hasWord(tokens)) return tokens.length > 0; // found by equal ones only: let match look
    const left = { count: 0, weight: 0 };
    let wordCount = 0;
    for (const { text, role } of tokens) {
      if (role !== 'word') continue;
      wordCount += 1;
      const { near, open } = this.meeting(text, mode);
      if (open) return true;
      if (!near) continue;
      left.count += 1;
      left.weight += weightIn(mode, wordOf(text).traits);
    }
    if (this.joinsMeet(form, mode)) return true;
    if (left.count === 0) return false;
    const name = comparedName(form, mode, ({ text }) => wordOf(text).traits);
    const whole = { ...name, wordCount, total: totalWeight(name.tokens), minor: minorWeight(tokens) };
    return boundOfRest(whole, left) >= LEAST;
  }

  private joinsMeet({ tokens }: NameForm, mode: NameMode): boolean {
    return joinsOf(tokens, mode).some(({ key, compound }) =>
      this.set.indexes.some(({ parts }) => has(parts, key) || (compound !== 0 && has(parts, compound))),
    );
  }

  private meeting(text: string, mode: NameMode): Meeting {
    const known = this.meetings[mode].get(text);
    if (known) return known;
    const { traits, keys } = wordOf(text);
    const meeting = { near: false, open: false };
    for (const { parts } of this.set.indexes) {
      if (isJoined(parts[mode], traits)) meeting.open = true;
      for (const key of keys) parts.wordKeys.each(key, (id) => meet(meeting, traits, id, parts, mode));
    }
    this.meetings[mode].set(text, meeting);
    return meeting;
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

function meet(meeting: Meeting, traits: TokenTraits, id: number, { words, ...parts }: Parts, mode: NameMode): void {
  const partition = parts[mode];
  if (partition.postingCount(id) === 0 || similarity(traits, words[id] as TokenTraits) === 0) return;
  meeting.near = true;
  const { starts } = partition.abbreviated;
  if (starts[id] !== starts[id + 1]) meeting.open = true;
}

const isJoined = ({ joins }: NamePartition, { fold, compound }: TokenTraits): boolean =>
  (fold !== 0 && hasAny(joins, fold)) || (compound !== 0 && hasAny(joins, compound));
