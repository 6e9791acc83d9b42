import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';

export type SuspensionKind = 'tenant_suspended' | 'tenant_resumed';

/** What an owner_notice of these kinds holds as its detail, as JSON: one recipient each. */
export interface SuspensionNotice {
  email: string;
  locale: Locale;
  /** What operators want the owners to read. */
  message: string | null;
}

interface Facts {
  displayName: string;
  slug: string;
  at: Date;
}

const WORDING: Record<Locale, Record<SuspensionKind, { subject: string; what: string; effect: string; next: string }> & { message: string }> = {
  'es-CO': {
    message: 'Mensaje de Constancia:',
    tenant_suspended: {
      subject: 'Servicio suspendido',
      what: 'Constancia suspendió el servicio de',
      effect:
        'Hasta que se reanude no se acepta ninguna clave de API, sesión ni enlace, y nada se cobra. Los webhooks y los correos a firmantes esperan. Nada se borra, y lo que ya se aceptó se termina.',
      next: 'Responda a Constancia para aclararlo.',
    },
    tenant_resumed: {
      subject: 'Servicio reanudado',
      what: 'Constancia reanudó el servicio de',
      effect: 'Las claves, las sesiones y los enlaces se aceptan de nuevo. Lo que esperaba se está enviando.',
      next: 'No tiene que hacer nada.',
    },
  },
  en: {
    message: 'Message from Constancia:',
    tenant_suspended: {
      subject: 'Service suspended',
      what: 'Constancia suspended the service of',
      effect:
        'Until it is resumed, no API key, session or link is accepted, and nothing is charged. Webhooks and mails to signers wait. Nothing is deleted, and work that was accepted is finished.',
      next: 'Write to Constancia to resolve this.',
    },
    tenant_resumed: {
      subject: 'Service resumed',
      what: 'Constancia resumed the service of',
      effect: 'Keys, sessions and links are accepted again. What waited is being sent.',
      next: 'You do not have to do anything.',
    },
  },
}; // prettier-ignore

/** To each owner: that operators suspended the tenant, or ended that. */
export function suspensionMail(
  kind: SuspensionKind,
  { locale, message }: Pick<SuspensionNotice, 'locale' | 'message'>,
  { displayName, slug, at }: Facts,
): Omit<Mail, 'to'> {
  const words = WORDING[locale];
  const { subject, what, effect, next } = words[kind];
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' });
  return letter(locale, `${subject}: ${displayName}`, [
    `${what} ${displayName} (${slug}): ${when.format(at)}.`,
    effect,
    ...(message === null ? [] : [`${words.message} ${message}`]),
    next,
  ]);
}
