import type { ListIndex } from '../index/list-index.ts';
import type { NamePartition } from '../index/name-partition.ts';
import { hash32 } from '../normalise/hash.ts';
import { identifierCores } from '../normalise/identifier.ts';
import { formsOf, type NameForm, type NameMode, readText, type TokenRole } from '../normalise/tokenise.ts';
import { comparedToken, hasWord, joinsOf, MINOR_WEIGHT } from '../tokens/compared-name.ts';
import { MOST_ADDED } from './evidence.ts';
import type { ListSet } from './list-set.ts';
import { SLACK } from './name-search.ts';
import { PlainNames } from './plain-names.ts';
import { boundOfRest, type WholeName } from './name-sums.ts';
import { wordOf } from './prepared-query.ts';
import type { ScreeningQuery } from './screening-query.ts';
import { similarity } from '../tokens/token-similarity.ts';
import type { TokenTraits } from '../tokens/token-traits.ts';
import { DEFAULT_NEAR } from '../version.ts';

/** Names whose bound is below this are no match, whatever else agrees. */
const LEAST = DEFAULT_NEAR - MOST_ADDED - SLACK;

/** What a word of the query has to do with the names of a few entries that are read in one mode. */
interface Meeting {
  /** Those that it comes near a word of: numbers through all indexes. */
  names: readonly number[];
  /** More than its weight may follow from it: it is two words of theirs, or one beside a letter that may stand for any word. */
  open: boolean;
}

/** A word as it weighs in one mode; meeting: null for what is no word. */
interface WeighedWord {
  isMinor: boolean;
  weight: number;
  abbreviates: number;
  meeting: Meeting | null;
}

/**
 * Rules out most queries in a fraction of the time of a match: the words of the query that resemble any word of the entries weigh too
 * little for a match, even if all belonged to one entry. For a small set and many queries; results per word are cached.
 */
export class Prefilter {
  private readonly meetings: Record<NameMode, Map<string, Meeting>> = { person: new Map(), organisation: new Map() };
  private readonly modes: readonly NameMode[];
  private readonly plain: PlainNames<Record<NameMode, WeighedWord>>;

  constructor(private readonly set: ListSet) {
    this.modes = (['person', 'organisation'] as const).filter((mode) =>
      set.indexes.some((index) => index.parts[mode].size > 0),
    );
    this.plain = new PlainNames(set, (text, role) => ({
      person: this.weighed(text, role, 'person'),
      organisation: this.weighed(text, role, 'organisation'),
    }));
  }

  /** False: `match` finds nothing for this query, unless it is given another `near`. True: it may find something. */
  mayMatch(query: ScreeningQuery): boolean {
    if (this.sharesIdentifier(query)) return true;
    const read = readText(query.fullName);
    const words = this.plain.wordsOf(read);
    if (words) return this.modes.some((mode) => this.mayReach(words, mode));
    return this.modes.some((mode) => formsOf(read, mode).some((form) => this.formMayMatch(form, mode)));
  }

  private formMayMatch(form: NameForm, mode: NameMode): boolean {
    const { tokens } = form;
    if (!hasWord(tokens)) return tokens.length > 0; // found by equal ones only: let match look
    const words = tokens.map(({ text, role }) => ({ [mode]: this.weighed(text, role, mode) }));
    return this.joinsMeet(form, mode) || this.mayReach(words, mode);
  }

  private weighed(text: string, role: TokenRole, mode: NameMode): WeighedWord {
    const { weight, abbreviates } = comparedToken(wordOf(text).traits, role, mode);
    const meeting = role === 'word' ? this.meeting(text, mode) : null;
    return { isMinor: role === 'minor', weight, abbreviates, meeting };
  }

  /** Whether a name with these words may match. */
  private mayReach(words: readonly Partial<Record<NameMode, WeighedWord>>[], mode: NameMode): boolean {
    const whole = { mode, total: 0, minor: 0, abbreviations: 0, wordCount: 0 };
    const near: { weight: number; names: readonly number[] }[] = [];
    for (const { [mode]: word } of words) {
      const { isMinor, weight, abbreviates, meeting } = word as WeighedWord;
      whole.total += weight;
      whole.abbreviations += abbreviates;
      if (isMinor) whole.minor += MINOR_WEIGHT;
      if (meeting === null) continue;
      whole.wordCount += 1;
      if (meeting.open) return true;
      if (meeting.names.length > 0) near.push({ weight, names: meeting.names });
    }
    const most = { count: near.length, weight: near.reduce((sum, { weight }) => sum + weight, 0) };
    if (near.length === 0 || boundOfRest(whole, most) < LEAST) return false;
    return near.length === 1 || this.namesReach(whole, near);
  }

  /** The same of the words that come near one and the same name. */
  private namesReach(whole: WholeName, near: readonly { weight: number; names: readonly number[] }[]): boolean {
    const sums = new Map<number, { count: number; weight: number }>();
    for (const { weight, names } of near)
      for (const name of names) {
        const sum = sums.get(name);
        if (sum === undefined) sums.set(name, { count: 1, weight });
        else {
          sum.count += 1;
          sum.weight += weight;
        }
      }
    for (const left of sums.values()) if (boundOfRest(whole, left) >= LEAST) return true;
    return false;
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
    const names = new Set<number>();
    let open = false;
    let before = 0;
    for (const { parts } of this.set.indexes) {
      const partition = parts[mode];
      if (isJoined(partition, traits)) open = true;
      for (const key of keys)
        parts.wordKeys.each(key, (id) => {
          if (partition.postingCount(id) === 0 || similarity(traits, parts.words[id] as TokenTraits) === 0) return;
          for (const name of partition.namesWith(id)) names.add(before + name);
          const { starts } = partition.abbreviated;
          if (starts[id] !== starts[id + 1]) open = true;
        });
      before += partition.size;
    }
    const meeting = { names: [...names], open };
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

const isJoined = ({ joins }: NamePartition, { fold, compound }: TokenTraits): boolean =>
  (fold !== 0 && hasAny(joins, fold)) || (compound !== 0 && hasAny(joins, compound));
