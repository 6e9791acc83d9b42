import type { PersonLocale } from '@constancia/contracts';
import type { Mail } from '@constancia/mail';
import { letter } from '../../../mail-letter.ts';

const TEXTS = {
  added: {
    'es-CO': [
      'Nueva llave de acceso en su billetera',
      'Se agregó una llave de acceso a su billetera de identidad: con ella se puede ingresar sin código.',
      'Si no fue usted, ingrese con esta dirección y quítela:',
    ],
    en: [
      'A new passkey of your wallet',
      'A passkey was added to your identity wallet: it signs in without a code.',
      'If it was not you, sign in with this address and remove it:',
    ],
  },
  removed: {
    'es-CO': [
      'Se quitó una llave de acceso de su billetera',
      'Se quitó una llave de acceso de su billetera de identidad. Las sesiones que abrió terminaron.',
      'Si no fue usted, ingrese con esta dirección y mire qué más cambió:',
    ],
    en: [
      'A passkey of your wallet was removed',
      'A passkey was removed from your identity wallet. The sessions that it opened have ended.',
      'If it was not you, sign in with this address and see what else has changed:',
    ],
  },
  refused: {
    'es-CO': [
      'Una llave de acceso de su billetera pudo haber sido copiada',
      'Alguien quiso ingresar a su billetera con una llave de acceso que parece copiada, y no pudo.',
      'Ingrese con esta dirección, quite la llave y agregue otra:',
    ],
    en: [
      'A passkey of your wallet may have been copied',
      'Someone tried to sign in to your wallet with a passkey that seems to be copied, and could not.',
      'Sign in with this address, remove the passkey and add another:',
    ],
  },
} as const satisfies Record<string, Record<PersonLocale, readonly [subject: string, what: string, doThis: string]>>;

/** What became of a passkey, and the page of the wallet. */
export const walletPasskeyMail =
  (what: keyof typeof TEXTS) =>
  (locale: PersonLocale, page: string): Omit<Mail, 'to'> => {
    const [subject, ...sentences] = TEXTS[what][locale];
    return letter(locale, subject, [...sentences, { link: page }]);
  };
