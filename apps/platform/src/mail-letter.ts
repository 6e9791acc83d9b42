import { escapeHtml } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import type { Locale } from './locale.ts';

/** A part of a letter: a paragraph, or a code or a link that stands alone on its line. */
export type LetterPart = string | { code: string } | { link: string };

/** A mail of a few short paragraphs, as text and HTML. */
export function letter(locale: Locale, subject: string, parts: readonly LetterPart[]): Omit<Mail, 'to'> {
  const text = parts.map((part) => (typeof part === 'string' ? part : Object.values(part)[0])).join('\n\n');
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
${parts.map(paragraph).join('\n')}
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

function paragraph(part: LetterPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('code' in part)
    return `<p style="font-size: 1.6em; letter-spacing: 0.15em"><code>${escapeHtml(part.code)}</code></p>`;
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
}
