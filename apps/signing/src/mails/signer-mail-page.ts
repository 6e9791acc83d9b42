import { escapeHtml } from '@constancia/kernel';
import { type Mail, mailAccent, mailLogo } from '@constancia/mail';
import { type SignerMailFacts, type SignerMailWords, wordsOf } from './texts.ts';

/** A mail to a signer, as text and as HTML without font or script; the only picture is the logo of the tenant, which says nothing. */
export function signerMail(facts: SignerMailFacts): Omit<Mail, 'to' | 'id'> {
  const words = wordsOf(facts);
  return { subject: words.subject, text: textOf(words), html: htmlOf(words, facts) };
}

function textOf({ greeting, paragraphs, message, code, action, afterwards, footer }: SignerMailWords): string {
  const quoted = message?.split('\n').map((line) => `> ${line}`.trimEnd());
  const parts = [
    greeting,
    ...paragraphs,
    ...(quoted ? [quoted.join('\n')] : []),
    ...(code === null ? [] : [code]),
    ...(action ? [`${action.label}:\n${action.link}`] : []),
    ...afterwards,
    `--\n${footer}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const P = 'margin:0 0 16px';
const ACCENT = '#14539a';

function htmlOf(words: SignerMailWords, facts: SignerMailFacts): string {
  const { subject, greeting, paragraphs, message, code, action, afterwards, footer } = words;
  const { locale } = facts;
  const accent = mailAccent(facts) ?? ACCENT;
  const logo = mailLogo(facts);
  const body = [
    ...(logo === '' ? [] : [logo]),
    ...[greeting, ...paragraphs].map(paragraph),
    ...(message === null ? [] : [quotation(message)]),
    ...(code === null ? [] : [prominent(code)]),
    ...(action ? [button(action, accent)] : []),
    ...afterwards.map(paragraph),
  ];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f3f4f6;color:#1f2937;${FONT};font-size:16px;line-height:1.5">
<div role="article" aria-label="${escapeHtml(subject)}" style="max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;border-radius:8px">
${body.join('\n')}
</div>
<p style="max-width:560px;margin:16px auto 0;padding:0 24px;font-size:13px;color:#4b5563">${escapeHtml(footer)}</p>
</body>
</html>
`;
}

function paragraph(text: string): string {
  return `<p style="${P}">${escapeHtml(text)}</p>`;
}

function quotation(text: string): string {
  const lines = escapeHtml(text).replaceAll('\n', '<br>\n');
  return `<blockquote style="${P};padding:4px 0 4px 16px;border-left:4px solid #d1d5db;color:#374151">${lines}</blockquote>`;
}

function prominent(code: string): string {
  const look = 'font-size:32px;font-weight:bold;letter-spacing:6px;font-family:Menlo,Consolas,monospace';
  return `<p style="margin:0 0 20px;padding:16px;text-align:center;background:#f3f4f6;border-radius:8px;color:#111827;${look}">${escapeHtml(code)}</p>`;
}

function button({ label, link, hint }: NonNullable<SignerMailWords['action']>, accent: string): string {
  const look = `display:inline-block;padding:14px 28px;background:${accent};color:#ffffff;border-radius:6px;font-weight:bold`;
  const address = escapeHtml(link);
  return `<p style="margin:24px 0"><a href="${address}" style="${look};text-decoration:none">${escapeHtml(label)}</a></p>
<p style="${P};font-size:14px;color:#4b5563">${escapeHtml(hint)}<br><a href="${address}" style="color:${accent};word-break:break-all">${address}</a></p>`;
}
