import type { ListCode, ListEntry } from '../entry.ts';
import { comparedName, hasWord, joinsOf, totalWeight } from '../tokens/compared-name.ts';
import { distinctKeys } from '../tokens/token-keys.ts';
import { traitsOf, type TokenTraits } from '../tokens/token-traits.ts';
import { hash32 } from '../normalise/hash.ts';
import { identifierCores } from '../normalise/identifier.ts';
import {
  HAN,
  looksLikeOrganisation,
  nameForms,
  type NameForm,
  type NameMode,
  type NameToken,
  wholeText,
} from '../normalise/tokenise.ts';
import { HashPostings, KeyedNumbers } from './hash-postings.ts';
import { ListIndex } from './list-index.ts';
import { NamePartition, QUALITIES, ROLES, SCRIPTS } from './name-partition.ts';

/**
 * Builds the index of one list. The score of an entry depends on nothing else in the list, so that an index of a few entries gives
 * for them what an index of all gives. Takes about 1 s for 20,000 entries; see ListIndex.serialise.
 */
export function buildIndex(list: ListCode, entries: Iterable<ListEntry>): ListIndex {
  const vocabulary = new Vocabulary();
  const names = {
    person: new PartitionBuilder('person', vocabulary),
    organisation: new PartitionBuilder('organisation', vocabulary),
  };
  const pool = new EntryPool();
  for (const entry of entries) {
    const position = pool.add(entry);
    names[modeOf(entry)].add(entry, position);
  }
  return new ListIndex({
    list,
    words: vocabulary.words,
    wordKeys: vocabulary.keys(),
    person: names.person.finish(),
    organisation: names.organisation.finish(),
    ...pool.finish(),
  });
}

/** How the names of an entry are read. Of what the source does not tell, by whether some name has an organization form. */
function modeOf(entry: Pick<ListEntry, 'kind' | 'names'>): NameMode {
  if (entry.kind === 'person') return 'person';
  if (entry.kind !== 'unknown') return 'organisation';
  return entry.names.some(({ text }) => looksLikeOrganisation(nameForms(text, 'organisation')))
    ? 'organisation'
    : 'person';
}

/** Words of a list, each once. */
class Vocabulary {
  readonly words: TokenTraits[] = [];
  private readonly ids = new Map<string, number>();

  id(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.words.push(traitsOf(text)) - 1;
      this.ids.set(text, id);
    }
    return id;
  }

  keys(): HashPostings {
    const keyed = new KeyedNumbers();
    for (const [id, traits] of this.words.entries()) for (const key of distinctKeys(traits)) keyed.add(key, id);
    return HashPostings.build(keyed);
  }
}

class PartitionBuilder {
  private readonly entry: number[] = [];
  private readonly ordinal: number[] = [];
  private readonly quality: number[] = [];
  private readonly script: number[] = [];
  private readonly total: number[] = [];
  private readonly initials: number[] = [];
  private readonly starts: number[] = [0];
  private readonly tokens: number[] = [];
  private readonly roles: number[] = [];
  private readonly joins = new KeyedNumbers();
  private readonly wordless = new KeyedNumbers();

  constructor(
    private readonly mode: NameMode,
    private readonly vocabulary: Vocabulary,
  ) {}

  add(entry: ListEntry, position: number): void {
    const seen = new Map<string, number>();
    for (const [ordinal, { text, quality }] of entry.names.entries())
      for (const form of nameForms(text, this.mode)) {
        if (form.tokens.length === 0) continue;
        const key = `${form.script} ${wholeText(form)}`;
        const same = seen.get(key);
        const rank = QUALITIES.indexOf(quality);
        if (same === undefined) seen.set(key, this.addForm(form, position, ordinal, rank));
        else if (rank < (this.quality[same] as number)) {
          this.quality[same] = rank;
          this.ordinal[same] = ordinal;
        }
      }
  }

  private addForm(form: NameForm, position: number, ordinal: number, quality: number): number {
    const name = this.entry.push(position) - 1;
    this.ordinal.push(ordinal);
    this.quality.push(quality);
    this.script.push(SCRIPTS.indexOf(form.script));
    const traits = ({ text }: NameToken) => this.vocabulary.words[this.vocabulary.id(text)] as TokenTraits;
    const { tokens, abbreviations } = comparedName(form, this.mode, traits);
    this.total.push(totalWeight(tokens));
    this.initials.push(Math.min(255, abbreviations));
    for (const { text, role } of form.tokens) {
      this.tokens.push(this.vocabulary.id(text));
      this.roles.push(ROLES.indexOf(role));
    }
    this.starts.push(this.tokens.length);
    for (const { key, compound } of joinsOf(form.tokens, this.mode)) {
      this.joins.add(key, name);
      if (compound !== 0) this.joins.add(compound, name);
    }
    if (!hasWord(tokens)) this.wordless.add(hash32(wholeText(form)), name);
    return name;
  }

  finish(): NamePartition {
    const [postingStarts, postings] = this.postings();
    return new NamePartition(
      this.mode,
      {
        entry: Uint32Array.from(this.entry),
        ordinal: Uint16Array.from(this.ordinal),
        quality: Uint8Array.from(this.quality),
        script: Uint8Array.from(this.script),
        total: Float32Array.from(this.total),
        initials: Uint8Array.from(this.initials),
        tokenStarts: Uint32Array.from(this.starts),
        tokens: Uint32Array.from(this.tokens),
        roles: Uint8Array.from(this.roles),
        postingStarts,
        postings,
      },
      HashPostings.build(this.joins),
      HashPostings.build(this.wordless),
    );
  }

  private postings(): [Uint32Array, Uint32Array] {
    const starts = new Uint32Array(this.vocabulary.words.length + 1);
    const isWord = (at: number) => this.roles[at] === 0;
    for (const [at, id] of this.tokens.entries()) if (isWord(at)) starts[id + 1] = (starts[id + 1] as number) + 1;
    for (let id = 1; id < starts.length; id++) starts[id] = (starts[id] as number) + (starts[id - 1] as number);
    const next = starts.slice();
    const postings = new Uint32Array(starts.at(-1) as number);
    for (let name = 0; name + 1 < this.starts.length; name++)
      for (let at = this.starts[name] as number; at < (this.starts[name + 1] as number); at++) {
        if (!isWord(at)) continue;
        const id = this.tokens[at] as number;
        postings[next[id] as number] = name;
        next[id] = (next[id] as number) + 1;
      }
    return [starts, postings];
  }
}

/** The entries themselves, as JSON one after the other, found by id and by identifier. */
class EntryPool {
  private readonly json: Buffer[] = [];
  private readonly offsets: number[] = [0];
  private readonly han: number[] = [];
  private readonly ids = new KeyedNumbers();
  private readonly identifiers = new KeyedNumbers();

  add(entry: ListEntry): number {
    const position = this.json.push(Buffer.from(JSON.stringify(entry), 'utf8')) - 1;
    this.offsets.push((this.offsets.at(-1) as number) + (this.json.at(-1) as Buffer).length);
    this.han.push(Number(entry.names.some(({ text }) => HAN.test(text))));
    this.ids.add(hash32(entry.id), position);
    for (const core of new Set(entry.identifiers.flatMap(identifierCores)))
      this.identifiers.add(hash32(core), position);
    return position;
  }

  finish() {
    return {
      entryJson: new Uint8Array(Buffer.concat(this.json)),
      entryOffsets: Uint32Array.from(this.offsets),
      han: Uint8Array.from(this.han),
      ids: HashPostings.build(this.ids),
      identifiers: HashPostings.build(this.identifiers),
    };
  }
}
