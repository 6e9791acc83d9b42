import type { EventModule } from '@constancia/contracts';
import { escapeHtml, typeId } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';

/** An endpoint that the dispatcher has disabled and whose owner is still to be notified. */
export interface DisabledEndpoint {
  endpoint_id: string;
  tenant_id: string;
  module: EventModule;
  url: string;
  disabled_reason: 'gone' | 'failing';
  disabled_at: Date;
  first_failure_at: Date | null;
  announced: boolean;
  /** Null: the owner has switched this mail off. */
  owner_email: string | null;
  display_name: string;
  locale: 'es-CO' | 'en';
}

const TEXTS = {
  'es-CO': {
    modules: { identity: 'identidad', compliance: 'cumplimiento', seal: 'firma', billing: 'créditos' },
    subject: 'Desactivamos un destino de webhooks: {host}',
    gone: 'El receptor respondió 410 (Gone): nos indica que ya no existe.',
    failing: 'Durante cinco días todos los envíos a este receptor fallaron.',
    lines: [
      'Hola, {name}:',
      'Desactivamos el destino de webhooks de {module}: {url}',
      '{reason}',
      'Sus eventos esperan, también los siguientes: se envían en orden cuando lo reactive. Se guardan durante {days} días.',
    ],
    inConsole: 'Para reactivarlo, corrija el receptor y marque «Recibe eventos» en la consola (Destinos, Cambiar):',
    byProgram: 'Sus programas lo reactivan con PATCH /v1/webhook-endpoints/{endpoint} y "enabled": true.',
  },
  en: {
    modules: { identity: 'identity', compliance: 'compliance', seal: 'signing', billing: 'credits' },
    subject: 'We have disabled a webhook endpoint: {host}',
    gone: 'The receiver answered 410 (Gone): it states that it no longer exists.',
    failing: 'Every delivery to this receiver has failed for five days.',
    lines: [
      'Hello {name},',
      'We have disabled the webhook endpoint of {module}: {url}',
      '{reason}',
      'Its events wait, later ones too: they are sent in order once you enable it again. They are kept for {days} days.',
    ],
    inConsole: 'To use it again, repair the receiver and tick “Receives events” in the console (Endpoints, Change):',
    byProgram: 'Programs enable it with PATCH /v1/webhook-endpoints/{endpoint} and "enabled": true.',
  },
} as const;

interface Surroundings {
  /** How long events wait. */
  retentionDays: number;
  /** Left out: the mail has no link. */
  consoleUrl?: string;
}

/** The mail to the owner of a disabled endpoint, in the tenant's language, with the link to the endpoint in the console. */
export function disabledMail(
  endpoint: DisabledEndpoint,
  to: string,
  { retentionDays, consoleUrl }: Surroundings,
): Mail {
  const texts = TEXTS[endpoint.locale] ?? TEXTS['es-CO'];
  const id = typeId('whe', endpoint.endpoint_id);
  const facts: Record<string, string> = {
    name: endpoint.display_name,
    module: texts.modules[endpoint.module],
    host: URL.canParse(endpoint.url) ? new URL(endpoint.url).host : endpoint.url,
    url: endpoint.url,
    endpoint: id,
    days: String(retentionDays),
    reason: texts[endpoint.disabled_reason],
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');
  const link = consoleUrl && `${consoleUrl.replace(/\/+$/, '')}/developers/endpoints#${id}`;
  const lines = [...texts.lines.map(fill), ...(link ? [texts.inConsole, link] : []), fill(texts.byProgram)];
  return {
    id: `${id}-${endpoint.disabled_at.getTime()}`,
    to,
    subject: fill(texts.subject),
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${line === link ? linkTo(line) : escapeHtml(line)}</p>`).join('\n'),
  };
}

const linkTo = (address: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
