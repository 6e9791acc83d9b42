import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';

export const CLOSING_KINDS = [
  'tenant_closing_requested',
  'tenant_closing_reminder',
  'tenant_closing_reconsidered',
  'tenant_closed',
] as const;
export type ClosingKind = (typeof CLOSING_KINDS)[number];

/** What an owner_notice of these kinds holds as its detail, as JSON: one recipient each. */
export interface ClosingNotice {
  email: string;
  locale: Locale;
  /** ISO 8601. */
  closes_at: string;
  /** The name of the owner who asked or reconsidered; the reminder and the end have none. */
  by?: string;
  /** Of the end. */
  credits_left?: number;
  credits_held?: number;
}

interface Facts {
  displayName: string;
  slug: string;
  tenantId: string;
}

interface Wording {
  subject: Record<ClosingKind, string>;
  requested(tenant: string, by: string, end: string): string;
  reminder(tenant: string, end: string): string;
  reconsidered(tenant: string, by: string): string;
  closed(tenant: string, end: string): string;
  until: string;
  destroyed: string;
  kept: string;
  reconsider(path: string): string;
  asBefore: string;
  credits(left: string, held: string): string;
  refund: string;
  doubt: string;
}

const WORDING: Record<Locale, Wording> = {
  'es-CO': {
    subject: {
      tenant_closing_requested: 'Se pidió cerrar la cuenta',
      tenant_closing_reminder: 'La cuenta se cierra en menos de siete días',
      tenant_closing_reconsidered: 'La cuenta ya no se cierra',
      tenant_closed: 'La cuenta se cerró',
    },
    requested: (tenant, by, end) => `${by} pidió cerrar la cuenta de ${tenant} en Constancia. Se cierra el ${end}.`,
    reminder: (tenant, end) => `La cuenta de ${tenant} en Constancia se cierra el ${end}.`,
    reconsidered: (tenant, by) => `${by} reconsideró el cierre de la cuenta de ${tenant} en Constancia. Todo sigue como antes.`,
    closed: (tenant, end) => `La cuenta de ${tenant} en Constancia se cerró: el plazo para reconsiderarlo terminó el ${end}.`,
    until: 'Hasta entonces puede consultar y exportar sus datos, y lo que empezó se termina. No se acepta ni se cobra nada nuevo.',
    destroyed: 'Al cierre se eliminan las llaves de API, los miembros y los destinos de webhooks, se anulan los sobres abiertos y se borran los datos que la ley no obliga a conservar. Eso no se puede deshacer.',
    kept: 'Lo que la ley obliga a conservar se conserva bloqueado. Los documentos firmados se pueden seguir verificando.',
    reconsider: (path) => `Cualquier propietario puede reconsiderarlo hasta ese momento, con la sesión iniciada: DELETE ${path}`,
    asBefore: 'Las llaves, las sesiones y los enlaces son los de antes. No tiene que hacer nada.',
    credits: (left, held) => `Créditos que quedaron: ${left}. Reservados por trabajo en curso: ${held}.`,
    refund: 'Para pedir el reembolso de los créditos, escriba a Constancia.',
    doubt: 'Si no lo esperaba, hable con los demás propietarios y revise las sesiones de los miembros ahora mismo.',
  },
  en: {
    subject: {
      tenant_closing_requested: 'The closing of the account was requested',
      tenant_closing_reminder: 'The account will be closed within seven days',
      tenant_closing_reconsidered: 'The account stays open',
      tenant_closed: 'The account was closed',
    },
    requested: (tenant, by, end) => `${by} asked for the Constancia account of ${tenant} to be closed. It will be closed on ${end}.`,
    reminder: (tenant, end) => `The Constancia account of ${tenant} will be closed on ${end}.`,
    reconsidered: (tenant, by) => `${by} reconsidered the closing of the Constancia account of ${tenant}. Everything is as before.`,
    closed: (tenant, end) => `The Constancia account of ${tenant} was closed: the time to reconsider ended on ${end}.`,
    until: 'Until then you can read and export your data, and what was begun is finished. Nothing new is accepted or charged.',
    destroyed: 'At the end API keys, members and webhook endpoints are removed, open envelopes are voided, and data that the law does not oblige anybody to keep is erased. This cannot be undone.',
    kept: 'What the law obliges to keep is kept, blocked. Signed documents can still be verified.',
    reconsider: (path) => `Any owner who is signed in can reconsider until then: DELETE ${path}`,
    asBefore: 'Your keys, sessions and links work as before. You do not have to do anything.',
    credits: (left, held) => `Credits that were left: ${left}. Held by work under way: ${held}.`,
    refund: 'To ask for a refund of the credits, write to Constancia.',
    doubt: "If you did not expect this, talk to the other owners and check the members' sessions now.",
  },
}; // prettier-ignore

/** To each owner: that the closing of the tenant was asked for, is near, was reconsidered, or happened. */
export function closingMail(kind: ClosingKind, notice: ClosingNotice, facts: Facts): Omit<Mail, 'to'> {
  const { locale } = notice;
  const words = WORDING[locale];
  return letter(locale, `${words.subject[kind]}: ${facts.displayName}`, partsOf(kind, notice, facts));
}

function partsOf(kind: ClosingKind, notice: ClosingNotice, { displayName, slug, tenantId }: Facts): string[] {
  const { locale, by = '', credits_left: left = 0, credits_held: held = 0 } = notice;
  const words = WORDING[locale];
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' });
  const end = day.format(new Date(notice.closes_at));
  const tenant = `${displayName} (${slug})`;
  const number = new Intl.NumberFormat(locale);
  const reconsider = words.reconsider(`/tenants/${tenantId}/closing`);
  switch (kind) {
    case 'tenant_closing_requested':
      return [words.requested(tenant, by, end), words.until, words.destroyed, words.kept, reconsider, words.doubt];
    case 'tenant_closing_reminder':
      return [words.reminder(tenant, end), words.until, words.destroyed, words.kept, reconsider];
    case 'tenant_closing_reconsidered':
      return [words.reconsidered(tenant, by), words.asBefore];
    case 'tenant_closed':
      return [
        words.closed(tenant, end),
        words.credits(number.format(left), number.format(held)),
        words.refund,
        words.kept,
      ];
  }
}
