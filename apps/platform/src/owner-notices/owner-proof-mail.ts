import { escapeHtml } from '@constancia/kernel';
import type { Locale } from '../locale.ts';

/** How long a mailed token can be used. */
export const OWNER_PROOF_TTL_SECONDS = 7 * 86_400;

export interface OwnerProofFacts {
  tenantId: string;
  displayName: string;
  token: string;
  baseUrl: string;
}

interface Wording {
  subject(displayName: string): string;
  intro(displayName: string): string;
  open: string;
  token: string;
  call: string;
  effect: string;
  ignore: string;
}

const WORDING: Record<Locale, Wording> = {
  'es-CO': {
    subject: (displayName) => `Confirme su dirección de correo: ${displayName}`,
    intro: (displayName) => `Alguien registró a ${displayName} en Constancia con esta dirección. Si fue usted, confírmela: abra este enlace y pulse el botón.`,
    open: 'Confirmar la dirección',
    token: 'O use este código de un solo uso, válido por siete días:',
    call: 'con esta llamada, poniendo el código en lugar de TOKEN:',
    effect: 'Hasta entonces, los correos a sus firmantes esperan. Todo lo demás funciona.',
    ignore: 'Si no fue usted, ignore este mensaje: sin la confirmación, nadie recibe correos de ese registro.',
  },
  en: {
    subject: (displayName) => `Confirm your mail address: ${displayName}`,
    intro: (displayName) => `Somebody signed ${displayName} up at Constancia with this address. If it was you, confirm it: open this link and press the button.`,
    open: 'Confirm the address',
    token: 'Or use this one-use token, valid for seven days:',
    call: 'with this call, with the token in the place of TOKEN:',
    effect: 'Until then, mails to your signers wait. Everything else works.',
    ignore: 'If it was not you, ignore this message: without the confirmation nobody gets mails from that sign-up.',
  },
}; // prettier-ignore

/** The mail with which an owner proves the address, text and HTML. In the text, link and token each stand on a line of their own. */
export function ownerProofMail(
  locale: Locale,
  { tenantId, displayName, token, baseUrl }: OwnerProofFacts,
): { subject: string; text: string; html: string } {
  const words = WORDING[locale];
  // After the #, the token reaches no log and no other host; opening the link alone changes nothing.
  const link = `${baseUrl}/owner-email#${tenantId}.${token}`;
  const call = `curl -X POST ${baseUrl}/tenants/${tenantId}/owner-email/proof -H 'Content-Type: application/json' -d '{"token": "TOKEN"}'`;
  const text = [
    ...[words.intro(displayName), link, words.token, token, words.call, call],
    ...[words.effect, words.ignore],
  ].join('\n\n');
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeHtml(words.subject(displayName))}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
<p>${escapeHtml(words.intro(displayName))}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(words.open)}</a></p>
<p>${escapeHtml(words.token)}<br><code style="font-size: 1.1em">${token}</code></p>
<p>${escapeHtml(words.call)}</p>
<pre style="white-space: pre-wrap">${escapeHtml(call)}</pre>
<p>${escapeHtml(words.effect)}</p>
<p>${escapeHtml(words.ignore)}</p>
</body>
</html>
`;
  return { subject: words.subject(displayName), text: `${text}\n`, html };
}
