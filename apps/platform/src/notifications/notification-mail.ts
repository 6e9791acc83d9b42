import { typeId } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';
import type { NotificationKind } from './notification-kinds.ts';

/** Of the balance there are mails to those whom the tenant's billing settings name (owner-notices). */
export type MailedNotification = Exclude<NotificationKind, 'balance_low'>;

const TEXTS: Record<Locale, Record<MailedNotification, [subject: string, text: string]> & { off: string }> = {
  en: {
    case_assigned: ['A case was assigned to you', 'A compliance case was assigned to you:'],
    case_escalated: ['A case was escalated', 'A compliance case was escalated and waits for a supervisor:'],
    case_due_soon: ['A case is due soon', 'A compliance case that is assigned to you is due soon:'],
    case_overdue: ['A case is overdue', 'A compliance case is overdue:'],
    endpoint_disabled: [
      'A webhook endpoint was disabled',
      'Its server has failed for too long, or no longer exists. Events wait until you enable it again:',
    ],
    certificate_ends: [
      'The certificate of your seal ends soon',
      'A certificate of the chain that your documents are sealed with ends soon. Set another chain before: once it has ended, documents wait for one.',
    ],
    off: 'You can switch off these mails in the console, under your account.',
  },
  'es-CO': {
    case_assigned: ['Le asignaron un caso', 'Le asignaron un caso de cumplimiento:'],
    case_escalated: ['Escalaron un caso', 'Un caso de cumplimiento fue escalado y espera a un supervisor:'],
    case_due_soon: ['Un caso vence pronto', 'Un caso de cumplimiento asignado a usted vence pronto:'],
    case_overdue: ['Un caso está vencido', 'Un caso de cumplimiento está vencido:'],
    endpoint_disabled: [
      'Desactivamos un endpoint de webhooks',
      'Su servidor falló durante demasiado tiempo o ya no existe. Los eventos esperan hasta que lo reactive:',
    ],
    certificate_ends: [
      'El certificado de su sello vence pronto',
      'Un certificado de la cadena con la que se sellan sus documentos vence pronto. Configure otra cadena antes: cuando venza, los documentos esperan hasta que haya una.',
    ],
    off: 'Puede desactivar estos correos en la consola, en su cuenta.',
  },
};

/** Names nobody whom the case is about: what it is about is behind the link. */
export function notificationMail(
  locale: Locale,
  kind: MailedNotification,
  { tenant, refId, consoleAddress }: { tenant: string; refId: string | null; consoleAddress: string },
): Omit<Mail, 'to'> {
  const { off, [kind]: [subject, text] } = TEXTS[locale]; // prettier-ignore
  const link = `${consoleAddress}/${pageOf(kind, refId)}`;
  return letter(locale, `${subject}: ${tenant}`, [text, { link }, off]);
}

function pageOf(kind: MailedNotification, refId: string | null): string {
  if (kind === 'endpoint_disabled') return 'developers/endpoints';
  return refId === null ? 'settings/sealing' : `cases/${typeId('cas', refId)}`;
}
