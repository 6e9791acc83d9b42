import type { Locale } from '@constancia/web';
import type { ValueForm } from './value-form.ts';

type Kind = ValueForm['kind'];

/** A number keeps that many, whatever they are. */
const MOST_DIGITS = 15;
/** What one reader takes for thousands, and another for a fraction. */
const MAYBE_GROUPED = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

const decimalMark = (locale: Locale): string => (locale === 'en' ? '.' : ',');
const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** The number that was typed; null: none, or one that could mean two things to this reader, such as `50.000`. */
export function numberIn(typed: string, locale: Locale): number | null {
  const text = typed.trim();
  if (!/^-?(0|[1-9]\d*)([.,]\d+)?$/.test(text) || digitsIn(text) > MOST_DIGITS) return null;
  if (MAYBE_GROUPED.test(text) && !text.includes(decimalMark(locale))) return null;
  return Number(text.replace(',', '.'));
}

/** What somebody typed, as a value. What is none is kept as it is: the linter says what is wrong with it. */
export function typedValue(kind: Kind, typed: string, locale: Locale): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'number':
      return numberIn(text, locale) ?? text;
    case 'scalar':
      return scalarOf(text);
    case 'texts':
      return itemsOf(text).map((item) => unquoted(item) ?? item);
    case 'scalars':
      return itemsOf(text).map(scalarOf);
    default:
      return text;
  }
}

/** The value as it is typed. */
export function shownValue(kind: Kind, value: unknown, locale: Locale): string {
  if (value === undefined || value === null) return '';
  if (kind === 'number') return typeof value === 'number' ? String(value).replace('.', decimalMark(locale)) : textOf(value); // prettier-ignore
  if (Array.isArray(value)) return value.map((item) => shownItem(kind, item)).join(', ');
  return kind === 'scalar' || kind === 'scalars' || kind === 'texts' ? shownItem(kind, value) : textOf(value);
}

function shownItem(kind: Kind, item: unknown): string {
  const isScalar = kind !== 'texts';
  if (typeof item === 'number' && isScalar) return MAYBE_GROUPED.test(String(item)) ? `${item}0` : String(item);
  if (typeof item !== 'string') return textOf(item);
  // Also what only looks like a number, so that nobody takes it for one.
  const looksOther = isScalar && (scalarOf(item) !== item || /^[-+]?[\d.,]+$/.test(item));
  const needsQuotes = looksOther || item !== item.trim() || item === '' || item.startsWith('"') || item.includes(',');
  return needsQuotes ? `"${item.replaceAll('"', '""')}"` : item;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Between commas, of which those in quotes are none. */
const itemsOf = (text: string): string[] =>
  [...text.matchAll(/\s*("(?:[^"]|"")*"(?=\s*(?:,|$))|[^,]*)\s*(?:,|$)/g)]
    .map(([, item = '']) => item.trim())
    .filter((item) => item !== '');

const unquoted = (text: string): string | null =>
  /^"(?:[^"]|"")*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : null;

/** Numbers as JSON writes them; any other text is a text. */
function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && digitsIn(text) <= MOST_DIGITS && !MAYBE_GROUPED.test(text);
  return isNumber ? Number(text) : (unquoted(text) ?? text);
}
