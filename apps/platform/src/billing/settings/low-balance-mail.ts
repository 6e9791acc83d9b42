import type { Locale } from '../../locale.ts';
import { letter } from '../../mail-letter.ts';

/** What the store notes for each person who is mailed (platform.note_low_balance). */
export interface LowBalanceNotice {
  email: string;
  locale: Locale;
  balance_after: number;
  low_balance_threshold: number;
}

interface TenantFacts {
  displayName: string;
  slug: string;
  at: Date;
}

interface Wording {
  subject(tenant: string): string;
  fell(tenant: string, when: string, threshold: string): string;
  left(balance: string): string;
  effect: string;
  change: string;
}

const WORDING: Record<Locale, Wording> = {
  'es-CO': {
    subject: (tenant) => `Quedan pocos créditos: ${tenant}`,
    fell: (tenant, when, threshold) => `El saldo de ${tenant} bajó de ${threshold} créditos el ${when}.`,
    left: (balance) => `Quedan ${balance} créditos disponibles.`,
    effect: 'Cuando no alcancen para una operación, Constancia la rechaza con el error 402 y no cobra nada. Recargue antes con POST /v1/billing/topup.',
    change: 'Puede cambiar el umbral, o dejar de recibir estos mensajes, con PUT /v1/billing/settings.',
  },
  en: {
    subject: (tenant) => `Few credits are left: ${tenant}`,
    fell: (tenant, when, threshold) => `The balance of ${tenant} fell below ${threshold} credits on ${when}.`,
    left: (balance) => `${balance} credits are available.`,
    effect: 'Once they do not cover an operation, Constancia refuses it with the error 402 and charges nothing. Top up before that with POST /v1/billing/topup.',
    change: 'To change the threshold, or to stop these messages, use PUT /v1/billing/settings.',
  },
}; // prettier-ignore

/** The mail about a balance below the tenant's threshold, text and HTML. */
export function lowBalanceMail(
  { locale, balance_after, low_balance_threshold }: LowBalanceNotice,
  { displayName, slug, at }: TenantFacts,
): { subject: string; text: string; html: string } {
  const words = WORDING[locale];
  const number = new Intl.NumberFormat(locale);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' });
  const subject = words.subject(displayName);
  const paragraphs = [
    words.fell(`${displayName} (${slug})`, time.format(at), number.format(low_balance_threshold)),
    words.left(number.format(balance_after)),
    words.effect,
    words.change,
  ];
  return letter(locale, subject, paragraphs);
}
