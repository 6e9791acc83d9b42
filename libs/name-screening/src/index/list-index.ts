import type { ListCode, ListEntry } from '../entry.ts';
import { withTables, type StoredTraits, type TokenTraits } from '../tokens/token-traits.ts';
import { MATCHER_VERSION } from '../version.ts';
import { hash32 } from '../normalise/hash.ts';
import { HashPostings } from './hash-postings.ts';
import { NamePartition, postingArrays, type NameColumns } from './name-partition.ts';
import { IndexUnreadable, readSections, writeSections } from './section-file.ts';

export interface ListIndexParts {
  list: ListCode;
  words: readonly TokenTraits[];
  /** From keys of words (tokenKeys) to words. */
  wordKeys: HashPostings;
  person: NamePartition;
  organisation: NamePartition;
  /** All entries as JSON in UTF-8, and where each begins. */
  entryJson: Uint8Array;
  entryOffsets: Uint32Array;
  /** Per entry: 1 if some name is in East Asian script. */
  han: Uint8Array;
  ids: HashPostings;
  identifiers: HashPostings;
}

/**
 * One list, ready to be matched against (ListSet). Immutable; a new version of the list is a new index. Made by buildIndex, or from
 * stored bytes by ListIndex.read, which takes a small part of the time.
 */
export class ListIndex {
  readonly list: ListCode;

  constructor(
    /** For ListSet and diffEntries; not for applications. */
    readonly parts: ListIndexParts,
  ) {
    this.list = parts.list;
  }

  get entryCount(): number {
    return this.parts.entryOffsets.length - 1;
  }

  /** Names as they are compared: equal ones of an entry count once, those in East Asian script twice. */
  get nameCount(): number {
    return this.parts.person.size + this.parts.organisation.size;
  }

  /** The entry at a position, 0 to entryCount - 1. */
  entryAt(position: number): ListEntry {
    const { entryJson, entryOffsets } = this.parts;
    const [from, to] = [entryOffsets[position], entryOffsets[position + 1]];
    if (from === undefined || to === undefined) throw new RangeError(`the index has no entry ${position}`);
    return JSON.parse(
      Buffer.from(entryJson.buffer, entryJson.byteOffset + from, to - from).toString('utf8'),
    ) as ListEntry;
  }

  /** The entry with this id. */
  entry(id: string): ListEntry | undefined {
    let found: ListEntry | undefined;
    this.parts.ids.each(hash32(id), (position) => {
      const entry = this.entryAt(position);
      if (entry.id === id) found ??= entry;
    });
    return found;
  }

  /** All entries, in the order in which the index was built. */
  *entries(): Generator<ListEntry> {
    for (let position = 0; position < this.entryCount; position++) yield this.entryAt(position);
  }

  /** The whole index with its entries, as bytes for ListIndex.read: versioned, with a checksum; equal for equal entries. */
  serialise(): Uint8Array {
    const { words, wordKeys, person, organisation, entryJson, entryOffsets, han, ids, identifiers } = this.parts;
    const text = Buffer.from(words.map((word) => word.text).join('\n'), 'utf8');
    return writeSections(
      { list: this.list, matcher: MATCHER_VERSION },
      {
        entryJson,
        entryOffsets,
        han,
        words: new Uint8Array(text),
        ...packTraits(words),
        ...postingArrays('wordKeys', wordKeys),
        ...postingArrays('ids', ids),
        ...postingArrays('identifiers', identifiers),
        ...person.arrays('person'),
        ...organisation.arrays('organisation'),
      },
    );
  }

  /**
   * Reads what serialise wrote. Throws IndexUnreadable: damaged, of another format, or built by another MATCHER_VERSION, whose
   * scores would differ. Keeps the bytes; do not change them afterwards.
   */
  static read(bytes: Uint8Array): ListIndex {
    const { head, arrays } = readSections(bytes);
    if (head['matcher'] !== MATCHER_VERSION)
      throw new IndexUnreadable(
        'other_matcher',
        `The stored index was built by matcher ${String(head['matcher'])}, this is ${MATCHER_VERSION}. Build it again from the list.`,
      );
    const array = <T>(name: string) => {
      const found = arrays.get(name);
      if (!found)
        throw new IndexUnreadable('damaged', `The stored index has no ${name}. Build it again from the list.`);
      return found as T;
    };
    const postings = (name: string) =>
      new HashPostings(array(`${name}.starts`), array(`${name}.keys`), array(`${name}.values`));
    const partition = (mode: 'person' | 'organisation') =>
      new NamePartition(
        mode,
        Object.fromEntries(COLUMNS.map((column) => [column, array(`${mode}.${column}`)])) as unknown as NameColumns,
        postings(`${mode}.joins`),
        postings(`${mode}.wordless`),
      );
    const text = Buffer.from(array<Uint8Array>('words')).toString('utf8');
    return new ListIndex({
      list: head['list'] as ListCode,
      words: unpackTraits(text === '' ? [] : text.split('\n'), array),
      wordKeys: postings('wordKeys'),
      person: partition('person'),
      organisation: partition('organisation'),
      entryJson: array('entryJson'),
      entryOffsets: array('entryOffsets'),
      han: array('han'),
      ids: postings('ids'),
      identifiers: postings('identifiers'),
    });
  }
}

const COLUMNS: readonly (keyof NameColumns)[] = [
  'entry',
  'ordinal',
  'quality',
  'script',
  'total',
  'initials',
  'tokenStarts',
  'tokens',
  'roles',
  'postingStarts',
  'postings',
];

const HASHES = ['fold', 'skeleton', 'sound', 'mandarin', 'compound'] as const;
const FLAGS = ['digits', 'han', 'bare', 'pinyin'] as const;

function packTraits(words: readonly TokenTraits[]): Record<string, Uint32Array | Uint8Array> {
  const flags = words.map((word) => FLAGS.reduce((bits, flag, nth) => bits | (Number(word[flag]) << nth), 0));
  return {
    ...Object.fromEntries(HASHES.map((hash) => [`traits.${hash}`, Uint32Array.from(words, (word) => word[hash])])),
    'traits.skeletonLength': Uint8Array.from(words, (word) => word.skeletonLength),
    'traits.flags': Uint8Array.from(flags),
  };
}

function unpackTraits(words: string[], array: <T>(name: string) => T): TokenTraits[] {
  const hashes = HASHES.map((hash) => array<Uint32Array>(`traits.${hash}`));
  const [fold, skeleton, sound, mandarin, compound] = hashes as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const [lengths, flags] = [array<Uint8Array>('traits.skeletonLength'), array<Uint8Array>('traits.flags')];
  return words.map((text, id) => {
    const bits = flags[id] as number;
    const stored: StoredTraits = {
      fold: fold[id] as number,
      skeleton: skeleton[id] as number,
      sound: sound[id] as number,
      mandarin: mandarin[id] as number,
      compound: compound[id] as number,
      skeletonLength: lengths[id] as number,
      digits: (bits & 1) !== 0,
      han: (bits & 2) !== 0,
      bare: (bits & 4) !== 0,
      pinyin: (bits & 8) !== 0,
    };
    return withTables(text, stored);
  });
}
