import type { ListIndex } from '../index/list-index.ts';
import { type NamePartition, ROLES, SCRIPTS } from '../index/name-partition.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import { alignNames, type JoinsToTry, type NameComparison, scoreOfNames, type SimilarityOf } from './align-names.ts';
import { type ComparedName, comparedToken, hasWord, joinsOf, nameOf } from '../tokens/compared-name.ts';
import { type FormSearch, gather, mayReach } from './gather-names.ts';
import { ENTRY_JOINED, NameSums, QUERY_JOINED } from './name-sums.ts';
import { NeighbourCache } from './neighbours.ts';
import type { PreparedForm, PreparedQuery, QueryWord } from './prepared-query.ts';
import { similarity } from '../tokens/token-similarity.ts';
import type { TokenTraits } from '../tokens/token-traits.ts';

/** Sums of single-precision numbers, and of weights in another order. */
export const SLACK = 1e-3;

export type FoundName = (name: number, comparison: NameComparison, partition: NamePartition) => void;

const MODES = ['person', 'organisation'] as const;

/** The words of a form as one list knows them. */
interface FormWords extends Pick<FormSearch, 'near' | 'joined'> {
  words: PreparedForm['words'];
  joins: PreparedForm['joins'];
}

interface Wanted {
  han: boolean;
  cut: number;
  found: FoundName;
}

/** Whether some name that is read in the mode has one of the words. */
function occurs({ near, joined }: FormWords, mode: NameMode): boolean {
  for (const word of near) if (word && (word.uses[mode] > 0 || word.joined[mode].length > 0)) return true;
  return joined.some((ids) => ids.length > 0);
}

/**
 * Names of one list that are like a name. Looks up each word's neighbours, sums per name what they could come to, and compares only
 * the names whose upper bound reaches the cut: what is found is what comparing every name would find (name-search.spec.ts).
 */
export class NameSearch {
  private readonly neighbours: NeighbourCache;
  private readonly sums: Record<NameMode, NameSums>;

  /** Names that were compared once. */
  private readonly names: Record<NameMode, (ComparedName | undefined)[]>;

  constructor(private readonly index: ListIndex) {
    const { person, organisation } = index.parts;
    this.names = { person: new Array<undefined>(person.size), organisation: new Array<undefined>(organisation.size) };
    this.neighbours = new NeighbourCache(index);
    this.sums = { person: new NameSums(person.size), organisation: new NameSums(organisation.size) };
  }

  /** Calls back with every name whose comparison reaches the cut. */
  each(prepared: PreparedQuery, cut: number, found: FoundName): void {
    let known: FormWords | undefined;
    for (const mode of MODES) {
      const partition = this.index.parts[mode];
      for (const form of prepared.forms[mode]) {
        if (known?.joins !== form.joins) known = this.wordsOf(form, known?.words === form.words ? known.near : null);
        if (!form.wordless && occurs(known, mode))
          this.searchForm(partition, form, known, { han: prepared.han, cut, found });
      }
    }
  }

  /** `near`: of the words, where they are known. */
  private wordsOf({ words, joins }: PreparedForm, near: FormWords['near'] | null): FormWords {
    const { neighbours } = this;
    return {
      words,
      joins,
      near: near ?? words.map((word) => (word ? neighbours.of(word.traits, word.keys) : null)),
      joined: joins.map((join) => neighbours.ofJoin(join)),
    };
  }

  private searchForm(partition: NamePartition, form: PreparedForm, { near, joined }: FormWords, wanted: Wanted): void {
    const { han, cut, found } = wanted;
    const sums = this.sums[partition.mode];
    const search: FormSearch = {
      partition,
      words: this.index.parts.words,
      form,
      near,
      joined,
      sums,
      least: cut - SLACK,
      rest: [],
      left: { count: 0, weight: 0 },
    };
    gather(search);
    const { tokens, tokenStarts } = partition.columns;
    let first = 0;
    const similarityOf: SimilarityOf = (q, e) => near[q]?.byId.get(tokens[first + e] as number) ?? 0;
    for (let nth = 0; nth < sums.count; nth++) {
      const name = sums.touched[nth] as number;
      if (!mayReach(search, name) || !this.scriptsMeet(partition, form, han, name)) continue;
      const entry = this.nameAt(partition, name);
      const joins = joinsToTry(form, entry, sums.marks[name] as number);
      const start = (first = tokenStarts[name] as number);
      const score = scoreOfNames(form, entry, similarityOf, joins);
      if (score < cut) continue;
      const pairs = () => {
        first = start;
        return alignNames(form, entry, similarityOf, joins).pairs();
      };
      found(name, { score, pairs, shortRomanised: form.shortRomanised || entry.shortRomanised }, partition);
    }
    sums.clear();
  }

  /** A name in East Asian script is compared in that script if both sides have it, and letter by letter only if one has not. */
  private scriptsMeet(partition: NamePartition, form: PreparedForm, han: boolean, name: number): boolean {
    if (!han || form.script !== 'romanised') return true;
    return this.index.parts.han[partition.columns.entry[name] as number] === 0;
  }

  private nameAt({ mode, columns }: NamePartition, name: number): ComparedName {
    const known = this.names[mode][name];
    if (known) return known;
    const tokens = [];
    for (let at = columns.tokenStarts[name] as number; at < (columns.tokenStarts[name + 1] as number); at++) {
      const traits = this.index.parts.words[columns.tokens[at] as number] as TokenTraits;
      tokens.push(comparedToken(traits, ROLES[columns.roles[at] as number] ?? 'word', mode));
    }
    return (this.names[mode][name] = nameOf(mode, SCRIPTS[columns.script[name] as number] ?? 'plain', tokens));
  }

  /**
   * The same as `each` by comparing every name with all the means there are: slow, for tests of the search. As in `each`, a name
   * without a word ("S.A.S."), on either side, is compared with nothing: it is found by an equal one alone.
   */
  eachByForce(prepared: PreparedQuery, cut: number, found: FoundName): void {
    for (const mode of ['person', 'organisation'] as const) {
      const partition = this.index.parts[mode];
      for (const form of prepared.forms[mode])
        for (let name = 0; name < partition.size && !form.wordless; name++) {
          if (!this.scriptsMeet(partition, form, prepared.han, name)) continue;
          const entry = this.nameAt(partition, name);
          if (!hasWord(entry.tokens)) continue;
          const similarityOf = (q: number, e: number) =>
            similarity((form.words[q] as QueryWord).traits, (entry.tokens[e] as { traits: TokenTraits }).traits);
          const comparison = alignNames(form, entry, similarityOf, { query: form.joins, entry: joinsIn(entry) });
          if (comparison.score >= cut) found(name, comparison, partition);
        }
    }
  }
}

function joinsToTry(form: PreparedForm, entry: ComparedName, marks: number): JoinsToTry {
  if ((marks & (QUERY_JOINED | ENTRY_JOINED)) === 0) return NO_JOINS;
  return {
    query: (marks & QUERY_JOINED) !== 0 ? form.joins : null,
    entry: (marks & ENTRY_JOINED) !== 0 ? joinsIn(entry) : null,
  };
}

const NO_JOINS: JoinsToTry = { query: null, entry: null };

const joinsIn = ({ tokens, mode }: ComparedName) =>
  joinsOf(
    tokens.map(({ traits, role }) => ({ text: traits.text, role })),
    mode,
  );
