import { escapeHtml } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import type { DisabledEndpoint } from './disabled-notices.ts';

const TEXTS = {
  'es-CO': {
    subject: 'Desactivamos un webhook de {module}',
    gone: 'El receptor respondió 410 (Gone): nos indica que ya no existe.',
    failing: 'Durante cinco días todos los envíos a este receptor fallaron.',
    lines: [
      'Hola, {name}:',
      'Desactivamos el endpoint de webhooks del módulo {module}: {url}',
      '{reason}',
      'Los eventos que esperaban quedaron como fallidos y los siguientes no se le enviarán.',
      'Para reactivarlo, corrija el receptor, envíe PUT /tenants/{tenant}/webhook-endpoints/{module} con "enabled": true y ' +
        'repita los fallidos con POST /webhook-deliveries/replays.',
    ],
  },
  en: {
    subject: 'We have disabled a webhook of {module}',
    gone: 'The receiver answered 410 (Gone): it tells us that it no longer exists.',
    failing: 'Every delivery to this receiver has failed for five days.',
    lines: [
      'Hello {name},',
      'We have disabled the webhook endpoint of the module {module}: {url}',
      '{reason}',
      'Events that were waiting are now failed; later ones will not be sent to it.',
      'To use it again, mend the receiver, send PUT /tenants/{tenant}/webhook-endpoints/{module} with "enabled": true, and ' +
        'replay the failed ones with POST /webhook-deliveries/replays.',
    ],
  },
} as const;

/** The mail to the owner of a disabled endpoint, in the tenant's language. */
export function disabledMail(endpoint: DisabledEndpoint): Mail {
  const texts = TEXTS[endpoint.locale] ?? TEXTS['es-CO'];
  const facts: Record<string, string> = {
    name: endpoint.display_name,
    module: endpoint.module,
    url: endpoint.url,
    tenant: endpoint.tenant_id,
    reason: texts[endpoint.disabled_reason],
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');
  const lines = texts.lines.map(fill);
  return {
    to: endpoint.owner_email,
    subject: fill(texts.subject),
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  };
}
