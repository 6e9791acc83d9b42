import { escapeHtml } from '@constancia/kernel';
import { type Mail, mailAccent, type MailBrand, mailLogo } from '@constancia/mail';
import type { Locale } from './locale.ts';

/** A part of a letter: a paragraph, or a code or a link that stands alone on its line. */
export type LetterPart = string | { code: string } | { link: string };

const BODY = '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">';

/** A mail of a few short paragraphs, as text and HTML. */
export function letter(locale: Locale, subject: string, parts: readonly LetterPart[]): Omit<Mail, 'to'> {
  const text = parts.map((part) => (typeof part === 'string' ? part : Object.values(part)[0])).join('\n\n');
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
${BODY}
${parts.map(paragraph).join('\n')}
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

/** A letter in the name of a tenant: with its logo, under a line of its colour. */
export function inNameOf<Letter extends Pick<Mail, 'html'>>(brand: MailBrand, mail: Letter): Letter {
  const accent = mailAccent(brand);
  const line = accent && `<hr style="margin:0 0 16px;border:0;border-top:4px solid ${accent}">`;
  return { ...mail, html: mail.html.replace(BODY, [BODY, line, mailLogo(brand)].filter(Boolean).join('\n')) };
}

function paragraph(part: LetterPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('code' in part)
    return `<p style="font-size: 1.6em; letter-spacing: 0.15em"><code>${escapeHtml(part.code)}</code></p>`;
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
}
