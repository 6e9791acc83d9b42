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

/** `tenant`: its name and slug. `when`: the date and time, as the language writes it after "el" and "on". */
interface Words {
  subject: string;
  what: (tenant: string, when: string) => string;
  effect: string;
  next: string;
}

const WORDING: Record<Locale, Record<SuspensionKind, Words> & { message: string }> = {
  'es-CO': {
    message: 'Mensaje de Constancia:',
    tenant_suspended: {
      subject: 'Servicio suspendido',
      what: (tenant, when) => `Constancia suspendió el servicio de ${tenant} el ${when}.`,
      effect:
        'Hasta que se reanude no se acepta ninguna llave de API, sesión ni enlace, y no se cobra nada nuevo. Los webhooks y los correos a firmantes esperan. Nada se borra, y lo que ya se aceptó se termina.',
      next: 'Escriba a Constancia para aclararlo.',
    },
    tenant_resumed: {
      subject: 'Servicio reanudado',
      what: (tenant, when) => `Constancia reanudó el servicio de ${tenant} el ${when}.`,
      effect: 'Las llaves, las sesiones y los enlaces se aceptan de nuevo. Lo que esperaba se está enviando.',
      next: 'No tiene que hacer nada.',
    },
  },
  en: {
    message: 'Message from Constancia:',
    tenant_suspended: {
      subject: 'Service suspended',
      what: (tenant, when) => `Constancia suspended the service of ${tenant} on ${when}.`,
      effect:
        'Until it is resumed, no API key, session or link is accepted, and nothing new is charged. Webhooks and mails to signers wait. Nothing is deleted, and work that was accepted is finished.',
      next: 'Write to Constancia to resolve this.',
    },
    tenant_resumed: {
      subject: 'Service resumed',
      what: (tenant, when) => `Constancia resumed the service of ${tenant} on ${when}.`,
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
    what(`${displayName} (${slug})`, when.format(at)),
    effect,
    ...(message === null ? [] : [`${words.message} ${message}`]),
    next,
  ]);
}
