import { catalogue } from './sarlaft-catalogue.ts';

const DEFAULTS = new Map(catalogue().map(({ code, description }) => [code, description]));

/** The description of a rule: of a default rule in the reader's language, of any other as the tenant wrote it. */
export function ruleText(code: string, written: string, language: 'en' | 'es-CO'): string {
  const { es, en } = DEFAULTS.get(code) ?? {};
  if (es === undefined || en === undefined || ![es, en].includes(written)) return written;
  return language === 'en' ? en : es;
}
