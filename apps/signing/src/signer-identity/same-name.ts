/** Words between names that people leave out. */
const PARTICLES = new Set([
  'de',
  'del',
  'la',
  'las',
  'los',
  'el',
  'y',
  'e',
  'da',
  'do',
  'dos',
  'das',
  'di',
  'van',
  'von',
]);
/** As many names must be the same: a given name and a surname. */
const FEWEST = 2;

/** Written within a name; the machine-readable zone of a document leaves them out: O'Brien is OBRIEN. */
const APOSTROPHES = /['’‘ʼ`´′]/gu;

type Letters = Readonly<Record<string, string>>;

/** Letters of Latin alphabets that are not a letter of A to Z with an accent. */
const LETTERS: Letters = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
};
/** The same, and those that the machine-readable zone spells with two letters (ICAO 9303, part 3, section 6). */
const MACHINE_READABLE: Letters = { ...LETTERS, ä: 'ae', å: 'aa', ö: 'oe', ø: 'oe', ü: 'ue' };

/** One name: without its accents, and as the machine-readable zone spells it. */
type Spellings = readonly [plain: string, machineReadable: string];

/**
 * Whether the name that the sender wrote is that of a document: every name of the shorter one is in the other, at least two of them, in any
 * order, without regard to accents, apostrophes, capitals and particles. A document may have more names than a sender writes, or fewer, and
 * spell them as its machine-readable zone does.
 */
export function isSameName(written: string, onDocument: string): boolean {
  const [a, b] = [namesOf(written), namesOf(onDocument)];
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  if (fewer.length < FEWEST) return false;
  const left = [...more];
  return fewer.every((name) => {
    const at = left.findIndex((other) => name.some((spelling) => other.includes(spelling)));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** Whether a name has as many names as must be the same. */
export function hasEnoughNames(name: string): boolean {
  return namesOf(name).length >= FEWEST;
}

function namesOf(name: string): Spellings[] {
  const words = name.replace(APOSTROPHES, '').normalize('NFKC').toLowerCase();
  return words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word): Spellings => [spelled(word, LETTERS), spelled(word, MACHINE_READABLE)])
    .filter(([plain]) => plain !== '' && !PARTICLES.has(plain));
}

function spelled(word: string, letters: Letters): string {
  const replaced = Array.from(word, (letter) => letters[letter] ?? letter).join('');
  return replaced.normalize('NFKD').replace(/\p{M}/gu, '');
}
