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
    case_awaiting_approval: [
      'A decision waits for your approval',
      'Somebody proposed the decision of a compliance case, which a second person has to confirm or return:',
    ],
    case_due_soon: ['A case is due soon', 'A compliance case that is assigned to you is due soon:'],
    case_overdue: ['A case is overdue', 'A compliance case is overdue:'],
    rules_awaiting_publication: [
      'Rules wait to be published by you',
      'Somebody published a draft of rules, which a second person has to publish, too:',
    ],
    session_awaiting_approval: [
      'A review of identity waits for your decision',
      'Somebody decided the review of an identity verification, which a second person has to decide, too:',
    ],
    endpoint_disabled: [
      'A webhook endpoint was disabled',
      'Its server has failed for too long, or no longer exists. Events wait until you enable it again:',
    ],
    certificate_ends: [
      'The certificate of your seal ends soon',
      'A certificate of the chain that your documents are sealed with ends soon. Set another chain before: once it has ended, documents wait for one.',
    ],
    envelope_completed: [
      'An envelope was completed',
      'Everyone has signed an envelope that you sent, and its document is sealed:',
    ],
    envelope_declined: ['An envelope was declined', 'A signer declined an envelope that you sent:'],
    envelope_expired: ['An envelope expired', 'An envelope that you sent expired before everyone had signed:'],
    envelope_failed: [
      'An envelope could not be sealed',
      'The document of an envelope that you sent could not be sealed:',
    ],
    envelope_code_undelivered: [
      'A code was not delivered',
      'A code for a signer of an envelope that you sent did not reach the phone. Check the number with the signer:',
    ],
    off: 'You can switch off these mails in the console, under your account.',
  },
  'es-CO': {
    case_assigned: ['Le asignaron un caso', 'Le asignaron un caso de cumplimiento:'],
    case_escalated: ['Escalaron un caso', 'Un caso de cumplimiento fue escalado y espera a un supervisor:'],
    case_awaiting_approval: [
      'Una decisión espera su aprobación',
      'Alguien propuso la decisión de un caso de cumplimiento. Una segunda persona debe confirmarla o devolverla:',
    ],
    case_due_soon: ['Un caso vence pronto', 'Un caso de cumplimiento asignado a usted vence pronto:'],
    case_overdue: ['Un caso está vencido', 'Un caso de cumplimiento está vencido:'],
    rules_awaiting_publication: [
      'Unas reglas esperan que usted las publique',
      'Alguien publicó un borrador de reglas. Una segunda persona debe publicarlo también:',
    ],
    session_awaiting_approval: [
      'Una revisión de identidad espera su decisión',
      'Alguien decidió la revisión de una verificación de identidad. Una segunda persona debe decidirla también:',
    ],
    endpoint_disabled: [
      'Desactivamos un destino de webhooks',
      'Su servidor falló durante demasiado tiempo o ya no existe. Los eventos esperan hasta que lo reactive:',
    ],
    certificate_ends: [
      'El certificado de su sello vence pronto',
      'Un certificado de la cadena con la que se sellan sus documentos vence pronto. Configure otra cadena antes: cuando venza, los documentos esperan hasta que haya una.',
    ],
    envelope_completed: [
      'Se completó un sobre',
      'Todos firmaron un sobre que usted envió, y su documento quedó sellado:',
    ],
    envelope_declined: ['Rechazaron un sobre', 'Un firmante rechazó un sobre que usted envió:'],
    envelope_expired: ['Venció un sobre', 'Un sobre que usted envió venció antes de que todos firmaran:'],
    envelope_failed: ['No se pudo sellar un sobre', 'El documento de un sobre que usted envió no se pudo sellar:'],
    envelope_code_undelivered: [
      'Un código no llegó',
      'El código de un firmante de un sobre que usted envió no llegó al celular. Confirme el número con el firmante:',
    ],
    off: 'Puede desactivar estos correos en la consola, en su cuenta.',
  },
};

/** What a mail is about: nothing that has an id, the id alone, or with a title. */
export function subjectOf(detail: string | null): { refId: string | null; title: string | null } {
  if (!detail?.startsWith('{')) return { refId: detail, title: null };
  const { id, title } = JSON.parse(detail) as { id: string; title: string };
  return { refId: id, title };
}

interface NotificationFacts {
  tenant: string;
  /** As member_mail has it. */
  detail: string | null;
  consoleAddress: string;
}

/** Names nobody whom the case or the envelope is about: that is behind the link. */
export function notificationMail(
  locale: Locale,
  kind: MailedNotification,
  { tenant, detail, consoleAddress }: NotificationFacts,
): Omit<Mail, 'to'> {
  const { off, [kind]: [subject, text] } = TEXTS[locale]; // prettier-ignore
  const { refId, title } = subjectOf(detail);
  const about = title === null ? [text] : [text, title];
  return letter(locale, [subject, title, tenant].filter((part) => part !== null).join(': '), [
    ...about,
    { link: `${consoleAddress}/${pathOf(kind, refId)}` },
    off,
  ]);
}

function pathOf(kind: MailedNotification, refId: string | null): string {
  if (kind === 'endpoint_disabled') return 'developers/endpoints';
  if (refId === null) return 'settings/sealing';
  if (kind === 'rules_awaiting_publication') return `rules/${typeId('val', refId)}`;
  if (kind === 'session_awaiting_approval') return `identity/reviews/${typeId('fls', refId)}`;
  return kind.startsWith('envelope_') ? `signing/envelopes/${typeId('env', refId)}` : `cases/${typeId('cas', refId)}`;
}
