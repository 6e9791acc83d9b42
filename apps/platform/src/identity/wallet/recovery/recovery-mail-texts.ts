import type { PersonLocale } from '@constancia/contracts';
import type { Mail } from '@constancia/mail';
import { letter } from '../../../mail-letter.ts';

type Texts = Omit<Mail, 'to'>;

/** The code with which a recovery begins, alone on its line. */
export function recoveryCodeMail(locale: PersonLocale, { code, minutes }: { code: string; minutes: number }): Texts {
  return locale === 'en'
    ? letter(locale, 'Your code to recover your wallet', [
        'Someone asked to recover your identity wallet, with a new passkey as the only one. The code is:',
        { code },
        `It can be used once, within ${minutes} minutes, on the page that asked for it. Nobody from Constancia will ask you for it.`,
        'If it was not you, ignore this message: without the code, and your face, nothing changes.',
      ])
    : letter(locale, 'Su código para recuperar su billetera', [
        'Alguien pidió recuperar su billetera de identidad, con una llave de acceso nueva como la única. El código es:',
        { code },
        `Sirve una sola vez, durante ${minutes} minutos, en la página que lo pidió. Nadie de Constancia se lo pedirá.`,
        'Si no fue usted, ignore este mensaje: sin el código, y sin su rostro, nada cambia.',
      ]);
}

/** A face was the person's: from `effectiveAt` on the new passkey is the only one. `link`: where it is cancelled. */
export function recoveryCoolingMail(
  locale: PersonLocale,
  { link, effectiveAt }: { link: string; effectiveAt: Date },
): Texts {
  const when = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  }).format(effectiveAt);
  return locale === 'en'
    ? letter(locale, 'Your wallet is being recovered', [
        `Your identity wallet is being recovered, after a code to this address and a comparison of the face. On ${when} (Colombia), all ` +
          'passkeys, sessions and sign-ins to applications that it has now end, the credentials on your devices stop being valid, and a new ' +
          'passkey is the only one. Until then nothing changes.',
        'If it was not you, cancel it now, here:',
        { link },
        'If it was you, there is nothing to do. Anyone who can still sign in to the wallet can cancel it there, too.',
      ])
    : letter(locale, 'Su billetera se está recuperando', [
        `Su billetera de identidad se está recuperando, después de un código a esta dirección y de comparar el rostro. El ${when} (Colombia) ` +
          'terminan todas las llaves de acceso, las sesiones y los ingresos a aplicaciones que tiene hoy, las credenciales en sus dispositivos ' +
          'dejan de ser válidas, y una llave nueva queda como la única. Hasta entonces nada cambia.',
        'Si no fue usted, cancélelo ya, aquí:',
        { link },
        'Si fue usted, no tiene que hacer nada. Quien aún pueda ingresar a la billetera también puede cancelarlo allí.',
      ]);
}

/** Nothing was taken away. `page`: where a person signs in. */
export function recoveryCancelledMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'The recovery of your wallet was cancelled', [
        'The recovery of your identity wallet was cancelled. Its passkeys and sessions are as they were.',
        'If it was not you who asked for it, see what is in your wallet, here:',
        { link: page },
      ])
    : letter(locale, 'Se canceló la recuperación de su billetera', [
        'La recuperación de su billetera de identidad se canceló. Sus llaves de acceso y sesiones siguen como estaban.',
        'Si no fue usted quien la pidió, mire qué hay en su billetera, aquí:',
        { link: page },
      ]);
}

/** The new passkey is the only one. `page`: where a person signs in. */
export function recoveryCompletedMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'Your wallet was recovered', [
        'Your identity wallet was recovered: the passkeys that it had are removed, its sessions and sign-ins to applications have ended, the ' +
          'credentials on your devices are no longer valid, and the new passkey is the only one.',
        'Sign in here. There you can also put your verification on a device again:',
        { link: page },
        'If it was not you, sign in there with this address, remove the passkey or erase the wallet.',
      ])
    : letter(locale, 'Su billetera se recuperó', [
        'Su billetera de identidad se recuperó: las llaves de acceso que tenía se quitaron, sus sesiones e ingresos a aplicaciones terminaron, ' +
          'las credenciales en sus dispositivos ya no son válidas, y la llave nueva es la única.',
        'Ingrese aquí. Allí también puede llevar de nuevo su verificación a un dispositivo:',
        { link: page },
        'Si no fue usted, ingrese allí con esta dirección, quite la llave o borre la billetera.',
      ]);
}

/** Its time passed without its taking effect. `page`: where a person signs in, or begins another. */
export function recoveryExpiredMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'The recovery of your wallet expired', [
        'The recovery of your identity wallet expired before it took effect. Nothing changed: its passkeys and sessions are as they were.',
        'If you still need it, begin another one here. If it was not you who asked for it, see what is in your wallet:',
        { link: page },
      ])
    : letter(locale, 'La recuperación de su billetera venció', [
        'La recuperación de su billetera de identidad venció antes de tener efecto. Nada cambió: sus llaves de acceso y sesiones siguen como estaban.',
        'Si aún la necesita, empiece otra aquí. Si no fue usted quien la pidió, mire qué hay en su billetera:',
        { link: page },
      ]);
}
