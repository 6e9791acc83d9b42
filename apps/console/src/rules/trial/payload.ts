import type { Locale } from '@constancia/web';
import { numberIn } from '../model/typed-value.ts';

const TEXTS = ['full_name', 'birth_date', 'country_code', 'document_type', 'document_number', 'currency'] as const;

/** What is known of the subject, as the form says it; or the name of the field that cannot be read. */
export function payloadOf(form: FormData, locale: Locale): Record<string, unknown> | 'amount' | 'more' {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const given = TEXTS.map((name) => [name, textOf(name)] as const).filter(([, text]) => text !== '');
  const amount = textOf('amount') === '' ? undefined : numberIn(textOf('amount'), locale);
  const more = objectIn(textOf('more'));
  if (amount === null) return 'amount';
  if (more === null) return 'more';
  return { ...more, ...Object.fromEntries(given), ...(amount !== undefined && { amount }) };
}

function objectIn(text: string): Record<string, unknown> | null {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
