import type { PersonLocale } from '@constancia/contracts';
import type { Mail } from '@constancia/mail';
import { letter } from '../../mail-letter.ts';

type Texts = Omit<Mail, 'to'>;

/** The code that confirms an address, alone on its line. */
export function offerCodeMail(locale: PersonLocale, { code, minutes }: { code: string; minutes: number }): Texts {
  return locale === 'en'
    ? letter(locale, 'The code to keep your verification', [
        'Someone asked to keep an identity verification with this address. The code is:',
        { code },
        `It can be used once, within ${minutes} minutes, on the page that asked for it. Nobody from Constancia will ask you for it.`,
        'If it was not you, ignore this message: without the code nothing is kept.',
      ])
    : letter(locale, 'El código para guardar su verificación', [
        'Alguien pidió guardar una verificación de identidad con esta dirección. El código es:',
        { code },
        `Sirve una sola vez, durante ${minutes} minutos, en la página que lo pidió. Nadie de Constancia se lo pedirá.`,
        'Si no fue usted, ignore este mensaje: sin el código no se guarda nada.',
      ]);
}

/** The code that opens a wallet session, alone on its line. */
export function walletCodeMail(locale: PersonLocale, { code, minutes }: { code: string; minutes: number }): Texts {
  return locale === 'en'
    ? letter(locale, 'Your code for your wallet', [
        'Someone asked to sign in to your identity wallet. The code is:',
        { code },
        `It can be used once, within ${minutes} minutes. Nobody from Constancia will ask you for it.`,
        'If it was not you, ignore this message: without the code nobody can sign in.',
      ])
    : letter(locale, 'Su código para ingresar a su billetera', [
        'Alguien pidió ingresar a su billetera de identidad. El código es:',
        { code },
        `Sirve una sola vez, durante ${minutes} minutos. Nadie de Constancia se lo pedirá.`,
        'Si no fue usted, ignore este mensaje: sin el código nadie puede ingresar.',
      ]);
}

/** The code that puts a credential on a device, alone on its line. */
export function credentialCodeMail(locale: PersonLocale, { code, minutes }: { code: string; minutes: number }): Texts {
  return locale === 'en'
    ? letter(locale, 'The code for your credential', [
        'You asked to put your verified identity on a device. Type this code into the wallet app that asks for it:',
        { code },
        `It can be used once, within ${minutes} minutes. Nobody from Constancia will ask you for it.`,
        'If it was not you, ignore this message, sign in to your wallet and look at who else may have access to this address.',
      ])
    : letter(locale, 'El código para su credencial', [
        'Usted pidió llevar su identidad verificada a un dispositivo. Escriba este código en la aplicación de billetera que lo pide:',
        { code },
        `Sirve una sola vez, durante ${minutes} minutos. Nadie de Constancia se lo pedirá.`,
        'Si no fue usted, ignore este mensaje, ingrese a su billetera y revise quién más puede tener acceso a esta dirección.',
      ]);
}

/** A verification is in the wallet. `page`: where a person signs in. */
export function keptMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'Your verification is kept', [
        'Your identity verification is now in your wallet, as you asked. This address is how you sign in to it.',
        'Nobody gets it unless you approve. You can see, download and erase what is kept whenever you want. A picture of your face, if one is ' +
          'kept, can be erased, but not downloaded. All this is here:',
        { link: page },
        'If it was not you, sign in there with this address and erase the wallet.',
      ])
    : letter(locale, 'Su verificación quedó guardada', [
        'Su verificación de identidad ya está en su billetera, como usted lo pidió. Con esta dirección ingresa a ella.',
        'Nadie la recibe sin que usted lo apruebe. Puede ver, descargar y borrar lo guardado cuando quiera. La foto de su rostro, si se ' +
          'guardó, se puede borrar, pero no descargar. Todo esto está aquí:',
        { link: page },
        'Si no fue usted, ingrese allí con esta dirección y borre la billetera.',
      ]);
}

/** To the address of a wallet: its person was verified again, and gave another address. */
export function otherAddressMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'A verification was not added to your wallet', [
        'A verification with your document was made, and someone asked to keep it with another e-mail address. It was not kept, and your ' +
          'wallet is as it was. You can look at it here:',
        { link: page },
        'If it was you, ask again on the page of the verification, with this address.',
        'If it was not you, someone may have used your document: tell the company that you suspect, and the authorities.',
      ])
    : letter(locale, 'Una verificación no se agregó a su billetera', [
        'Se hizo una verificación con su documento, y alguien pidió guardarla con otro correo. No se guardó, y su billetera sigue como estaba. ' +
          'Puede verla aquí:',
        { link: page },
        'Si fue usted, pídalo de nuevo en la página de la verificación, con esta dirección.',
        'Si no fue usted, alguien pudo haber usado su documento: avise a la empresa de la que sospecha, y a las autoridades.',
      ]);
}

/** To an address that was confirmed, and is that of another person's wallet. */
export function addressTakenMail(locale: PersonLocale, page: string): Texts {
  return locale === 'en'
    ? letter(locale, 'Your verification was not kept', [
        'This address already opens the wallet of another person, and an address opens one wallet alone. The verification was not kept.',
        'To keep it, ask again on the page of the verification, with an address that only you use.',
        'What this address opens is here:',
        { link: page },
      ])
    : letter(locale, 'Su verificación no quedó guardada', [
        'Esta dirección ya abre la billetera de otra persona, y una dirección abre una sola billetera. La verificación no se guardó.',
        'Para guardarla, pídalo de nuevo en la página de la verificación, con una dirección que solo use usted.',
        'Lo que abre esta dirección está aquí:',
        { link: page },
      ]);
}

/** A company asks for a kept verification. `link`: where the person answers. */
export function presentationMail(
  locale: PersonLocale,
  { tenantName, purpose, link }: { tenantName: string; purpose: string; link: string },
): Texts {
  return locale === 'en'
    ? letter(locale, `${tenantName} asks for your verification`, [
        `${tenantName} asks to use the identity verification in your wallet, for “${purpose}”.`,
        'It does not know whether you have one, and gets nothing unless you approve here:',
        { link },
        'The link can be used for 15 minutes at most, and asks for a code that is mailed to you.',
        'If you do not expect this request, ignore this message, or report it there.',
      ])
    : letter(locale, `${tenantName} solicita su verificación`, [
        `${tenantName} solicita usar la verificación de identidad de su billetera, para «${purpose}».`,
        'No sabe si usted tiene una, y no recibe nada sin que usted lo apruebe aquí:',
        { link },
        'El enlace sirve 15 minutos como máximo, y pide un código que se le envía por correo.',
        'Si no esperaba esta solicitud, ignore este mensaje, o repórtela allí.',
      ]);
}

/** The code with which a person answers a request, alone on its line. */
export function consentCodeMail(
  locale: PersonLocale,
  { tenantName, code, minutes }: { tenantName: string; code: string; minutes: number },
): Texts {
  return locale === 'en'
    ? letter(locale, `Your code to answer ${tenantName}`, [
        `Someone asked to answer a request of ${tenantName} with your identity wallet. The code is:`,
        { code },
        `It can be used once, within ${minutes} minutes, on the page that asked for it. Nobody from Constancia or ${tenantName} will ask you for it.`,
        'If it was not you, ignore this message: without the code nothing is given.',
      ])
    : letter(locale, `Su código para responder a ${tenantName}`, [
        `Alguien pidió responder una solicitud de ${tenantName} con su billetera de identidad. El código es:`,
        { code },
        `Sirve una sola vez, durante ${minutes} minutos, en la página que lo pidió. Nadie de Constancia ni de ${tenantName} se lo pedirá.`,
        'Si no fue usted, ignore este mensaje: sin el código no se entrega nada.',
      ]);
}
