import { browserName, sentence } from '@constancia/kernel';
import type { Role } from '@constancia/contracts';
import type { Mail } from '@constancia/mail';
import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';

type Texts = Omit<Mail, 'to'>;

const ROLE_NAMES: Record<Locale, Record<Role, string>> = {
  'es-CO': {
    owner: 'propietario',
    admin: 'administrador',
    developer: 'desarrollador',
    analyst: 'analista',
    supervisor: 'supervisor',
    sender: 'remitente',
    billing: 'facturación',
    auditor: 'auditor',
  },
  en: {
    owner: 'owner',
    admin: 'admin',
    developer: 'developer',
    analyst: 'analyst',
    supervisor: 'supervisor',
    sender: 'sender',
    billing: 'billing',
    auditor: 'auditor',
  },
};

/** The code, alone on its line, and for how long it can be used. */
export function signInCodeMail(
  locale: Locale,
  { code, minutes, sso }: { code: string; minutes: number; sso: { tenant: string; link: string }[] },
): Texts {
  return locale === 'en'
    ? letter(locale, 'Your sign-in code', [
        'Someone asked to sign in to the Constancia console with this address. The code is:',
        { code },
        `It can be used once, within ${minutes} minutes. Nobody from Constancia will ask you for it.`,
        ...sso.flatMap(({ tenant, link }) => [
          `You can sign in to ${tenant} with your organization’s own account:`,
          { link },
        ]),
        'If it was not you, ignore this message: without the code nobody can sign in.',
      ])
    : letter(locale, 'Su código de ingreso', [
        'Alguien pidió ingresar a la consola de Constancia con esta dirección. El código es:',
        { code },
        `Sirve una sola vez, durante ${minutes} minutos. Nadie de Constancia se lo pedirá.`,
        ...sso.flatMap(({ tenant, link }) => [
          `En ${tenant} puede ingresar con la cuenta de su organización:`,
          { link },
        ]),
        'Si no fue usted, ignore este mensaje: sin el código nadie puede ingresar.',
      ]);
}

/** The link of an invitation, alone on its line. */
export function invitationMail(
  locale: Locale,
  { tenant, name, role, link, days }: { tenant: string; name: string; role: Role; link: string; days: number },
): Texts {
  return locale === 'en'
    ? letter(locale, `Invitation to ${tenant}`, [
        `Hello, ${name}: ${tenant} invites you to its Constancia console as ${ROLE_NAMES.en[role]}. Open this link to join:`,
        { link },
        `The link can be used once, within ${days} days. If you were not expecting it, ignore this message.`,
      ])
    : letter(locale, `Invitación a ${tenant}`, [
        `${name}: ${tenant} lo invita a su consola de Constancia con el rol ${ROLE_NAMES['es-CO'][role]}. Abra este enlace para unirse:`,
        { link },
        `El enlace sirve una sola vez, durante ${days} días. Si no lo esperaba, ignore este mensaje.`,
      ]);
}

/** A member signed in with a browser that they had not used before. */
export function newDeviceMail(
  locale: Locale,
  { tenant, at, userAgent, ip }: { tenant: string; at: Date; userAgent: string; ip: string },
): Texts {
  const when = timeOf(locale, at);
  return locale === 'en'
    ? letter(locale, `Sign-in from a new device: ${tenant}`, [
        `You signed in to the console of ${tenant} on ${when}, from the address ${ip}, with a browser that you had not used before: ${browserName(userAgent)}`,
        'If it was you, there is nothing to do. If not, end the session in the console, under your sessions, and notify an owner of the tenant.',
      ])
    : letter(locale, `Ingreso desde un dispositivo nuevo: ${tenant}`, [
        `Usted ingresó a la consola de ${tenant} el ${when}, desde la dirección ${ip}, con un navegador que no había usado antes: ${browserName(userAgent)}`,
        'Si fue usted, no tiene que hacer nada. Si no, cierre la sesión en la consola, en sus sesiones, y avise a un propietario de la cuenta.',
      ]);
}

/** An owner signed in without the single sign-on that the tenant requires; the other owners learn of it. */
export function ssoBypassedMail(
  locale: Locale,
  { tenant, at, name, ip }: { tenant: string; at: Date; name: string; ip: string },
): Texts {
  const when = timeOf(locale, at);
  return locale === 'en'
    ? letter(locale, `Sign-in without single sign-on: ${tenant}`, [
        `${name}, an owner of ${tenant}, signed in on ${when}, from the address ${ip}, without the single sign-on that your organization requires.`,
        'Owners may do so when the identity provider fails. If you do not know why, ask them, and review the audit log.',
      ])
    : letter(locale, `Ingreso sin inicio de sesión único: ${tenant}`, [
        `${name}, propietario de ${tenant}, ingresó el ${when}, desde la dirección ${ip}, sin el inicio de sesión único que su organización exige.`,
        'Los propietarios pueden hacerlo cuando el proveedor de identidad falla. Si no sabe el motivo, pregúntele y revise el registro de auditoría.',
      ]);
}

/** What owners learn about the members of their tenant. */
export function memberNotice(
  locale: Locale,
  kind: 'member_added' | 'role_changed',
  { tenant, name, role, by, at }: { tenant: string; name: string; role: Role; by: string; at: Date },
): Texts {
  const when = timeOf(locale, at);
  const roleName = ROLE_NAMES[locale][role];
  const wordings = {
    en: {
      member_added: [`New member: ${tenant}`, `${by} invited ${name} to ${tenant} as ${roleName} on ${when}.`],
      role_changed: [`Changed role: ${tenant}`, `${by} gave ${name} the role ${roleName} in ${tenant} on ${when}.`],
      rest: 'If this is not right, suspend the member and review the audit log.',
    },
    'es-CO': {
      member_added: [
        `Nuevo miembro: ${tenant}`,
        sentence(`${by} invitó a ${name} a ${tenant} con el rol ${roleName} el ${when}`),
      ],
      role_changed: [
        `Cambio de rol: ${tenant}`,
        sentence(`${by} le dio a ${name} el rol ${roleName} en ${tenant} el ${when}`),
      ],
      rest: 'Si no es correcto, suspenda al miembro y revise el registro de auditoría.',
    },
  } as const;
  const [subject, text] = wordings[locale][kind];
  return letter(locale, subject, [text, wordings[locale].rest]);
}

function timeOf(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' }).format(
    at,
  );
}
