import type { ListEntry } from '../entry.ts';
import { ALL_LIST_CODES } from '../entry.ts';
import type { ListIndex } from '../index/list-index.ts';
import { type NamePartition, QUALITIES } from '../index/name-partition.ts';
import { hash32 } from '../normalise/hash.ts';
import { identifierCores, sameIdentifier } from '../normalise/identifier.ts';
import { type NameComparison, round4 } from './align-names.ts';
import { judge, mostAdded, type NameFinding } from './evidence.ts';
import { NameSearch } from './name-search.ts';
import { prepareQuery, type PreparedQuery } from './prepared-query.ts';
import type { Hit, MatchOptions, MatchResult, ScreeningQuery } from './screening-query.ts';
import { DEFAULT_NEAR, DEFAULT_THRESHOLD } from '../version.ts';

/** The best name of an entry so far. */
interface Candidate extends NameFinding {
  ordinal: number;
  pairs: NameComparison['pairs'];
  /** By its name; false: nothing but an identifier is in common, so far. */
  found: boolean;
}

/**
 * Lists that are screened together. Immutable; a new version of a list is a new set. Pin one set per screening, so that the answer
 * is of one version of each list.
 */
export class ListSet {
  private readonly searches: { index: ListIndex; names: NameSearch }[];

  /** One index per list; several of INTERNAL are allowed. */
  constructor(readonly indexes: readonly ListIndex[]) {
    this.searches = indexes.map((index) => ({ index, names: new NameSearch(index) }));
  }

  /**
   * Entries that the query may be. Never throws for what a person may have typed, of any length and in any script; `data` says what
   * could not be compared. The result depends on the query, the entries found and MATCHER_VERSION, not on what else is on the lists
   * (but for `limit`).
   */
  match(query: ScreeningQuery, options: MatchOptions = {}): MatchResult {
    const { threshold = DEFAULT_THRESHOLD, near = DEFAULT_NEAR, limit = Infinity } = options;
    const prepared = prepareQuery(query);
    const hits: Hit[] = [];
    for (const { index, names } of this.searches) {
      hits.push(...this.listHits(index, names, prepared, threshold, Math.min(near, threshold)));
    }
    hits.sort(byRank);
    return { hits: hits.slice(0, limit), data: prepared.data };
  }

  private listHits(
    index: ListIndex,
    names: NameSearch,
    prepared: PreparedQuery,
    threshold: number,
    near: number,
  ): Hit[] {
    const best = new Map<number, Candidate>();
    for (const position of identified(index, prepared)) best.set(position, NOT_BY_NAME);
    // Of an entry that an identifier found, the name is reported however different it is.
    names.each(prepared, best.size > 0 ? 0.3 : near - mostAdded(prepared), (name, comparison, partition) => {
      keepBetter(best, partition, name, { ...comparison, wordless: false });
    });
    for (const mode of ['person', 'organisation'] as const) equalWordless(index.parts[mode], prepared, best);
    const hits: Hit[] = [];
    for (const [position, candidate] of best) {
      const hit = hitOf(index, index.entryAt(position), candidate, prepared, threshold);
      if (hit.score >= near) hits.push(hit);
    }
    return hits;
  }
}

const NOT_BY_NAME: Candidate = {
  score: 0,
  weak: false,
  shortRomanised: false,
  wordless: false,
  ordinal: 0,
  pairs: () => [],
  found: false,
};

function keepBetter(
  best: Map<number, Candidate>,
  { columns }: NamePartition,
  name: number,
  comparison: NameComparison & { wordless: boolean },
): void {
  const position = columns.entry[name] as number;
  const candidate: Candidate = {
    score: round4(comparison.score),
    weak: QUALITIES[columns.quality[name] as number] === 'weak',
    shortRomanised: comparison.shortRomanised,
    wordless: comparison.wordless,
    ordinal: columns.ordinal[name] as number,
    pairs: comparison.pairs,
    found: true,
  };
  const former = best.get(position);
  if (!former || beats(candidate, former)) best.set(position, candidate);
}

/** Names that can be a hit before those that cannot; then the higher score; then the earlier name. */
function beats(a: Candidate, b: Candidate): boolean {
  const [worthA, worthB] = [worth(a), worth(b)];
  return worthA > worthB || (worthA === worthB && a.ordinal < b.ordinal);
}

const worth = ({ score, weak, wordless, shortRomanised, found }: Candidate) =>
  found ? Math.min(score, weak || wordless ? DEFAULT_THRESHOLD - 0.01 : shortRomanised ? 0.86 : 1) : -1;

/** Names that are nothing but a form, or too short, are found only by an equal one. */
function equalWordless(partition: NamePartition, prepared: PreparedQuery, best: Map<number, Candidate>): void {
  for (const form of prepared.forms[partition.mode]) {
    if (!form.wordless || form.tokens.length === 0) continue;
    const pairs = form.tokens.map(({ traits: { text } }) => ({ query: text, entry: text, similarity: 1 }));
    partition.wordless.each(form.whole, (name) => {
      keepBetter(best, partition, name, { score: 1, pairs: () => pairs, shortRomanised: false, wordless: true });
    });
  }
}

/** Entries with an identifier of the query. */
function identified(index: ListIndex, { query }: PreparedQuery): Set<number> {
  const positions = new Set<number>();
  for (const document of query.documents ?? [])
    for (const core of identifierCores(document))
      index.parts.identifiers.each(hash32(core), (position) => {
        if (index.entryAt(position).identifiers.some((identifier) => sameIdentifier(document, identifier)))
          positions.add(position);
      });
  return positions;
}

function hitOf(
  index: ListIndex,
  entry: ListEntry,
  candidate: Candidate,
  { query, birth }: PreparedQuery,
  threshold: number,
): Hit {
  const judgement = judge(entry, candidate, query, birth);
  const matched = entry.names[candidate.ordinal] ?? { text: '', quality: 'primary' as const };
  return {
    list: index.list,
    entryId: entry.id,
    kind: entry.kind,
    name: entry.names[0]?.text ?? '',
    matchedName: matched.text,
    matchedNameQuality: matched.quality,
    score: judgement.score,
    verdict: judgement.score >= threshold ? 'hit' : 'near',
    programmes: entry.programmes,
    role: entry.role ?? null,
    evidence: {
      name: { score: candidate.score, tokens: candidate.pairs() },
      ...judgement.evidence,
      capped_by: judgement.capped,
    },
    identifierMatched: judgement.identifierMatched,
  };
}

function byRank(a: Hit, b: Hit): number {
  return (
    b.score - a.score ||
    b.evidence.name.score - a.evidence.name.score ||
    ALL_LIST_CODES.indexOf(a.list) - ALL_LIST_CODES.indexOf(b.list) ||
    (a.entryId < b.entryId ? -1 : a.entryId > b.entryId ? 1 : 0)
  );
}
