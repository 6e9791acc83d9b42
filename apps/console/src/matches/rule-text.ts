import { catalogue } from '@constancia/rule-graph';
import type { Locale } from '@constancia/web';

const DEFAULTS = new Map(catalogue().map(({ code, description }) => [code, description]));

/** What a rule says: a text of the default rules in the reader's language, any other one as somebody wrote it. */
export function ruleText(code: string, written: string, locale: Locale): string {
  const { es, en } = DEFAULTS.get(code) ?? {};
  if (es === undefined || en === undefined || ![es, en].includes(written)) return written;
  return locale === 'en' ? en : es;
}
