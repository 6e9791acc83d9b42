/** Languages in which mails to a tenant's owner are written; the first is the default. */
export const LOCALES = ['es-CO', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** The language of an Accept-Language header (RFC 9110 §12.5.4) that we write; es-CO when it names none. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const ranges = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
        .find(Boolean);
      return { language: tag.trim().split('-')[0], quality: Number(quality ?? 1) };
    });
  const wanted = ranges
    .filter(({ language, quality }) => quality > 0 && (language === 'es' || language === 'en'))
    .sort((a, b) => b.quality - a.quality)[0];
  return wanted?.language === 'en' ? 'en' : 'es-CO';
}
