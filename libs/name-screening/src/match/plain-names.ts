import { formWord, mayBeginForm } from '../normalise/organisation-forms.ts';
import {
  foldHead,
  foldNumber,
  foldOrganisationWord,
  mayEndInHead,
  ORGANISATION_PARTICLES,
  PARTICLES,
} from '../normalise/small-words.ts';
import { isTheophoric } from '../normalise/theophoric.ts';
import { MAX_TOKEN_LENGTH, MAX_TOKENS, type ReadText, type TokenRole } from '../normalise/tokenise.ts';
import { RecentMap } from '../recent-map.ts';
import { JOINED_LENGTH } from '../tokens/compared-name.ts';
import type { ListSet } from './list-set.ts';
import { wordOf } from './prepared-query.ts';

/** A text that is nothing but words, however it is read. */
const PLAIN = /^[a-z ,-]+$/;
/** Letters that romanFold keeps, and makes of no others, are of a class each; all others of one, which it never leaves out. */
const OTHERS = 1;
const CLASSES = new Uint8Array(128).fill(OTHERS);
[...'ablmnr'].forEach((letter, nth) => (CLASSES[letter.charCodeAt(0)] = OTHERS + 1 + nth));
const BASE = 31;
const WORDS = 20_000;

/** The classes of the letters of a text, in order, each that follows itself once: texts that are equal under romanFold have equal ones. */
interface Outline {
  hash: number;
  /** BASE to the power of how many they are. */
  power: number;
}

/** A word that both readings of a name have as it is written, wherever it stands. */
interface PlainWord<Known> {
  known: Known;
  role: TokenRole;
  length: number;
  /** Classes of the first and the last letter. */
  first: number;
  last: number;
  outline: Outline;
  /** The same after a word that ends with the class with which this one begins. */
  outlineAfterSame: Outline;
  isSyllable: boolean;
  mayEndInHead: boolean;
}

/**
 * Names in Latin letters alone, without forms of organizations, numbers, initials or what is written as one word or as several. Most names
 * of people are; they need not be read as a person's and as an organization's. `know`: what is kept of each word.
 */
export class PlainNames<Known> {
  private readonly words = new RecentMap<string, PlainWord<Known> | 'other'>(WORDS);
  private readonly outlines: ReadonlySet<number>;

  constructor(
    set: ListSet,
    private readonly know: (text: string, role: TokenRole) => Known,
  ) {
    const texts = set.indexes.flatMap(({ parts }) => parts.words.map(({ text }) => foldHead(text)));
    this.outlines = new Set(texts.map((text) => outlineOf(text).hash));
  }

  /** What is known of each word; null for a name that is not plain, or has neighbours that may be one word of an entry. */
  wordsOf({ ascii, cut, romanised, han }: ReadText): Known[] | null {
    if (cut || romanised || han !== '' || !PLAIN.test(ascii)) return null;
    const texts = ascii.match(/[a-z]+/g) ?? [];
    if (texts.length > MAX_TOKENS) return null;
    const words: PlainWord<Known>[] = [];
    for (const text of texts) {
      const word = this.word(text);
      if (word === 'other') return null;
      words.push(word);
    }
    const hasWord = words.some(({ role }) => role === 'word');
    return hasWord && !this.mayJoin(words) ? words.map(({ known }) => known) : null;
  }

  /** Whether two or three neighbours may be one word of an entry. */
  private mayJoin(words: readonly PlainWord<Known>[]): boolean {
    for (let at = 0; at + 1 < words.length; at++) {
      const [one, two, three] = [words[at] as PlainWord<Known>, words[at + 1] as PlainWord<Known>, words[at + 2]];
      if (one.isSyllable && two.isSyllable) return true;
      const pair = joined(one, one.outline.hash, two);
      if (this.mayBeWord(pair, one.length + two.length, two)) return true;
      if (three && this.mayBeWord(joined(two, pair, three), one.length + two.length + three.length, three)) return true;
    }
    return false;
  }

  private mayBeWord(hash: number, length: number, last: PlainWord<Known>): boolean {
    return length >= JOINED_LENGTH && (last.mayEndInHead || this.outlines.has(hash));
  }

  private word(text: string): PlainWord<Known> | 'other' {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    const word = isPlain(text) ? this.plainWord(text) : 'other';
    this.words.set(text, word);
    return word;
  }

  private plainWord(text: string): PlainWord<Known> {
    const first = classAt(text, 0);
    const role = PARTICLES.has(text) ? 'minor' : 'word';
    return {
      known: this.know(text, role),
      role,
      length: text.length,
      first,
      last: classAt(text, text.length - 1),
      outline: outlineOf(text),
      outlineAfterSame: outlineOf(text, first),
      isSyllable: wordOf(text).traits.mandarin !== 0,
      mayEndInHead: mayEndInHead(text),
    };
  }
}

function isPlain(text: string): boolean {
  if (text.length < 2 || text.length > MAX_TOKEN_LENGTH || isTheophoric(text)) return false;
  if (mayBeginForm(formWord(text)) || ORGANISATION_PARTICLES.has(text)) return false;
  return PARTICLES.has(text) || foldOrganisationWord(foldNumber(text)) === text;
}

const classAt = (text: string, at: number): number => CLASSES[text.charCodeAt(at)] ?? OTHERS;

/** `before`: the class of the letter before the text; 0: it begins there. */
export function outlineOf(text: string, before = 0): Outline {
  let [hash, power, last] = [0, 1, before];
  for (let at = 0; at < text.length; at++) {
    const letter = classAt(text, at);
    if (letter === last) continue;
    hash = (Math.imul(hash, BASE) + letter) | 0;
    power = Math.imul(power, BASE);
    last = letter;
  }
  return { hash, power };
}

/** The hash of what `hash` is of, which ends with the word before, and of a further word. */
function joined({ last }: PlainWord<unknown>, hash: number, next: PlainWord<unknown>): number {
  const { hash: more, power } = last === next.first ? next.outlineAfterSame : next.outline;
  return (Math.imul(hash, power) + more) | 0;
}
