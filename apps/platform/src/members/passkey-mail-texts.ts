import { sentence } from '@constancia/kernel';
import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';
import type { PasskeyMailKind } from './member-mail.entity.ts';

interface PasskeyFacts {
  tenant: string;
  /** Of the passkey; of passkeys_reset: of the owner. */
  name: string;
  at: Date;
}

type Wording = Record<PasskeyMailKind, (facts: Omit<PasskeyFacts, 'at'> & { when: string }) => [string, ...string[]]>;

const WORDINGS: Record<Locale, Wording> = {
  en: {
    passkey_added: ({ tenant, name, when }) => [
      `New passkey: ${tenant}`,
      `The passkey “${name}” was added to your account in the console of ${tenant} on ${when}. It can be used to sign in.`,
      'If it was not you, remove it in the console, under your passkeys, and notify an owner of the tenant.',
    ],
    passkey_removed: ({ tenant, name, when }) => [
      `Passkey removed: ${tenant}`,
      `The passkey “${name}” was removed from your account in the console of ${tenant} on ${when}. The sessions that it opened have ended.`,
      'If you do not know why, ask an owner of the tenant.',
    ],
    passkey_refused: ({ tenant, name, when }) => [
      `Passkey refused: ${tenant}`,
      `A sign-in to the console of ${tenant} with your passkey “${name}” was refused on ${when}: its counter went back, as that of a copied passkey does.`,
      'Remove this passkey in the console and add a new one. If it was not you who signed in, notify an owner of the tenant.',
    ],
    passkeys_reset: ({ tenant, name, when }) => [
      `Passkeys of an owner removed: ${tenant}`,
      `Constancia removed all passkeys of ${name}, an owner of ${tenant}, on ${when}, because they were reported as lost. At the next sign-in with a mailed code ${name} registers a new one.`,
      'If nobody of your organization asked for this, write to Constancia now and review the audit log.',
    ],
  },
  'es-CO': {
    passkey_added: ({ tenant, name, when }) => [
      `Nueva llave de acceso: ${tenant}`,
      `${sentence(`La llave de acceso «${name}» se agregó a su cuenta en la consola de ${tenant} el ${when}`)} Con ella se puede ingresar.`,
      'Si no fue usted, elimínela en la consola, en sus llaves de acceso, y avise a un propietario de la cuenta.',
    ],
    passkey_removed: ({ tenant, name, when }) => [
      `Llave de acceso eliminada: ${tenant}`,
      `${sentence(`La llave de acceso «${name}» se eliminó de su cuenta en la consola de ${tenant} el ${when}`)} Las sesiones que abrió terminaron.`,
      'Si no sabe por qué, pregunte a un propietario de la cuenta.',
    ],
    passkey_refused: ({ tenant, name, when }) => [
      `Llave de acceso rechazada: ${tenant}`,
      `Un ingreso a la consola de ${tenant} con su llave de acceso «${name}» se rechazó el ${when}: su contador retrocedió, como el de una llave copiada.`,
      'Elimine esta llave en la consola y agregue una nueva. Si no fue usted quien ingresó, avise a un propietario de la cuenta.',
    ],
    passkeys_reset: ({ tenant, name, when }) => [
      `Llaves de acceso de un propietario eliminadas: ${tenant}`,
      `Constancia eliminó todas las llaves de acceso de ${name}, propietario de ${tenant}, el ${when}, porque se reportaron como perdidas. En el próximo ingreso con un código registrará una nueva.`,
      'Si nadie de su organización lo pidió, escriba a Constancia ahora y revise el registro de auditoría.',
    ],
  },
}; // prettier-ignore

/** What a member learns about their passkeys, and owners about a reset. */
export function passkeyMail(locale: Locale, kind: PasskeyMailKind, { at, ...facts }: PasskeyFacts): Omit<Mail, 'to'> {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' });
  const [subject, ...paragraphs] = WORDINGS[locale][kind]({ ...facts, when: format.format(at) });
  return letter(locale, subject, paragraphs);
}
