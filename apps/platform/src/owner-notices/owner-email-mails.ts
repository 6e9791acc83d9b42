import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';

export interface OwnerEmailFacts {
  tenantId: string;
  displayName: string;
  at: Date;
  baseUrl: string;
  /** Null: the change was made, stopped or replaced before this mail went out. */
  token: string | null;
}

/** To the new address of an owner: the link and the token that prove it. In the text each stands on a line of its own. */
export function ownerEmailChangeMail(
  locale: Locale,
  { tenantId, displayName, baseUrl, token }: OwnerEmailFacts & { token: string },
): Omit<Mail, 'to'> {
  const link = `${baseUrl}/owner-email-change#${tenantId}.${token}`;
  return locale === 'en'
    ? letter(locale, `Confirm the new address of the owner: ${displayName}`, [
        `An owner of ${displayName} asked Constancia to use this address as that of the owner. To confirm it, open this link and press the button:`,
        { link },
        'Or use this one-use token, valid for seven days, with POST /tenants/{id}/owner-email/proof:',
        { code: token },
        'Until then nothing changes. If you do not know this tenant, ignore this message.',
      ])
    : letter(locale, `Confirme la nueva dirección del propietario: ${displayName}`, [
        `Un propietario de ${displayName} pidió a Constancia usar esta dirección como la del propietario. Para confirmarla, abra este enlace y pulse el botón:`,
        { link },
        'O use este código de un solo uso, válido por siete días, con POST /tenants/{id}/owner-email/proof:',
        { code: token },
        'Hasta entonces nada cambia. Si no conoce a esta empresa, ignore este mensaje.',
      ]);
}

/** To the present address: that another one was asked for, and how to stop it. */
export function ownerEmailAskedMail(
  locale: Locale,
  { tenantId, displayName, at, baseUrl, token }: OwnerEmailFacts,
): Omit<Mail, 'to'> {
  const link = token === null ? [] : [{ link: `${baseUrl}/owner-email-stop#${tenantId}.${token}` }];
  const when = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  }).format(at);
  if (locale === 'en') {
    const stop =
      token === null
        ? 'The change is no longer waiting. If nobody of your team asked for it, write to Constancia at once.'
        : 'If nobody of your team asked for it, open this link and press the button: the address stays, and the other one gets nothing.';
    return letter(locale, `Another address was asked for: ${displayName}`, [
      `An owner of ${displayName} asked on ${when} for another address in place of this one. It counts only once it is confirmed from there.`,
      stop,
      ...link,
      'Look at the sessions of the owners too, under Members in the console.',
    ]);
  }
  const stop =
    token === null
      ? 'El cambio ya no está en espera. Si nadie de su equipo lo pidió, escriba a Constancia cuanto antes.'
      : 'Si nadie de su equipo lo pidió, abra este enlace y pulse el botón: la dirección sigue siendo esta, y la otra no recibe nada.';
  return letter(locale, `Se pidió otra dirección: ${displayName}`, [
    `Un propietario de ${displayName} pidió el ${when} otra dirección en lugar de esta. Solo cuenta cuando se confirme desde allí.`,
    stop,
    ...link,
    'Revise también las sesiones de los propietarios, en Miembros, en la consola.',
  ]);
}
