import { escapeHtml } from '@constancia/kernel';
import type { Locale } from '../locale.ts';

/** How long a mailed token can be used. */
export const RECOVERY_TOKEN_TTL_SECONDS = 3_600;

export interface RecoveryMailFacts {
  tenantId: string;
  displayName: string;
  token: string;
  baseUrl: string;
}

interface Wording {
  subject(displayName: string): string;
  intro(displayName: string): string;
  token: string;
  use: string;
  effect: string;
  ignore: string;
}

const WORDING: Record<Locale, Wording> = {
  'es-CO': {
    subject: (displayName) => `Recuperación de la llave de API de ${displayName}`,
    intro: (displayName) => `Alguien pidió recuperar la llave de API de ${displayName}. Si fue usted, este es su código de un solo uso, válido por una hora:`,
    token: 'Código',
    use: 'Cambie la llave con esta llamada, poniendo el código en lugar de TOKEN:',
    effect: 'La llave anterior deja de servir en ese momento. La respuesta muestra la llave nueva una sola vez.',
    ignore: 'Si usted no lo pidió, ignore este mensaje: sin el código nada cambia.',
  },
  en: {
    subject: (displayName) => `API key recovery for ${displayName}`,
    intro: (displayName) => `Somebody asked to recover the API key of ${displayName}. If it was you, this is your one-use token, valid for one hour:`,
    token: 'Token',
    use: 'Replace the key with this call, with the token in the place of TOKEN:',
    effect: 'The former key ends at that moment. The answer shows the new key once.',
    ignore: 'If it was not you, ignore this message: nothing changes without the token.',
  },
}; // prettier-ignore

/** The recovery mail, text and HTML. In the text the token stands on a line of its own. */
export function recoveryMail(
  locale: Locale,
  facts: RecoveryMailFacts,
): { subject: string; text: string; html: string } {
  const words = WORDING[locale];
  const call = `curl -X POST ${facts.baseUrl}/tenants/${facts.tenantId}/rotate-api-key -H 'Authorization: Bearer TOKEN'`;
  const text = [words.intro(facts.displayName), facts.token, words.use, call, words.effect, words.ignore].join('\n\n');
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeHtml(words.subject(facts.displayName))}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
<p>${escapeHtml(words.intro(facts.displayName))}</p>
<p><strong>${words.token}</strong><br><code style="font-size: 1.1em">${facts.token}</code></p>
<p>${escapeHtml(words.use)}</p>
<pre style="white-space: pre-wrap">${escapeHtml(call)}</pre>
<p>${escapeHtml(words.effect)}</p>
<p>${escapeHtml(words.ignore)}</p>
</body>
</html>
`;
  return { subject: words.subject(facts.displayName), text: `${text}\n`, html };
}
