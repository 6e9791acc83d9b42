import { ValidateBy, type ValidationArguments } from 'class-validator';

interface Shape {
  /** Tabs and the ends of lines are text, too. */
  lines?: boolean;
}

const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
/** A line ends with LF or CR LF. */
const NOT_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cs}]/u;
const FORMAT = /\p{Cf}/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Letters by script. Chinese, Japanese and Korean writing mixes its own. Letters of any other script count as one more. */
const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Chinese, Japanese or Korean', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u],
]; // prettier-ignore
/** Letters of every script, such as ª, and marks that take the script of the letter before. */
const OF_ANY_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * Why a text may not be mailed in a tenant's name, as a sentence; null when it may. Invisible characters and words that mix scripts are
 * refused: both make a name look like another one.
 */
export function mailedTextProblem(text: string, { lines = false }: Shape = {}): string | null {
  if (lines ? NOT_IN_LINES.test(text.replaceAll('\r\n', '\n')) : NOT_IN_A_LINE.test(text)) {
    return lines
      ? 'must be text without control characters other than tabs and line ends'
      : 'must be one line without control characters';
  }
  const hidden = FORMAT.exec(text)?.[0].codePointAt(0);
  if (hidden !== undefined) {
    const code = hidden.toString(16).toUpperCase().padStart(4, '0');
    return `must not have invisible format characters: remove U+${code}`;
  }
  const words = text.match(WORDS) ?? [];
  for (const [index, word] of words.entries()) {
    const scripts = scriptsOf(word);
    if (scripts.length > 1) {
      return `must not mix scripts within a word: word ${index + 1} has ${scripts.join(' and ')} letters`;
    }
  }
  return null;
}

function scriptsOf(word: string): string[] {
  const found = new Set<string>();
  for (const letter of word) {
    if (OF_ANY_SCRIPT.test(letter)) continue;
    found.add(SCRIPTS.find(([, letters]) => letters.test(letter))?.[0] ?? 'other');
  }
  return [...found];
}

/** A text that is mailed in a tenant's name: mailedTextProblem finds nothing. */
export function IsMailedText(shape: Shape = {}): PropertyDecorator {
  const problemOf = (value: unknown) => (typeof value === 'string' ? mailedTextProblem(value, shape) : 'must be text');
  return ValidateBy({
    name: 'isMailedText',
    validator: {
      validate: (value: unknown) => problemOf(value) === null,
      defaultMessage: (args?: ValidationArguments) => problemOf(args?.value) ?? 'must be text',
    },
  });
}
