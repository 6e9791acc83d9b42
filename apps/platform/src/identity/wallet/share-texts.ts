import { createHash } from 'node:crypto';
import type { ConsentClaimView, KeepText, OpenIdClaim, PersonLocale } from '@constancia/contracts';

type ClaimName = ConsentClaimView['name'] | OpenIdClaim;

/** The version that is shown. A text that was ever shown stays in TEXTS under its version: receipts show it. */
export const SHARE_VERSION = '2026-11-26';
/** The same, for an application of a company that the person signs in to. */
export const SIGN_IN_VERSION = 'sign-in-2026-11-26';
/** What the receipt says of a credential that the person presented with an app, which showed its own text. */
export const PRESENTED_VERSION = 'presented-2026-11-26';

const LABELS: Record<PersonLocale, Record<ClaimName, string>> = {
  'es-CO': {
    document_type: 'tipo de documento',
    document_country: 'país del documento',
    full_name: 'nombre completo',
    birth_date: 'fecha de nacimiento',
    document_number: 'número de documento',
    email: 'correo',
    verification: 'que estos datos fueron verificados, cuándo y qué se comprobó',
    offline_access: 'acceso durante 30 días aunque yo no esté presente',
    api: 'consulta de lo que la empresa tiene sobre mí en Constancia',
  },
  en: {
    document_type: 'type of document',
    document_country: 'country of the document',
    full_name: 'full name',
    birth_date: 'date of birth',
    document_number: 'document number',
    email: 'e-mail address',
    verification: 'that this data was verified, when, and what was checked',
    offline_access: 'access for 30 days, also while I am away',
    api: 'reading what the company has about me at Constancia',
  },
};

/** What a person is asked to give, to whom and what for. */
export interface ShareFacts {
  tenant_name: string;
  purpose: string;
  claims: readonly string[];
}

type Filled = Omit<ShareFacts, 'claims'> & { claims: string };

/** What a person agrees to who gives a kept verification to a company (Ley 1581 of 2012, articles 6, 8, 9 and 12). */
const TEXTS: Record<string, Record<PersonLocale, (facts: Filled) => string>> = {
  '2026-11-26': {
    'es-CO': ({ tenant_name, purpose, claims }) =>
      `Autorizo a Constancia a entregar a ${tenant_name}, para «${purpose}», estos datos de mi billetera: ${claims}. También se le dice que ` +
      'fueron verificados, cuándo y qué se comprobó; no se le dice para qué empresa, ni ningún otro dato. ' +
      `${tenant_name} responde por el tratamiento de lo que reciba. No estoy obligado a aceptar. Puedo retirar este consentimiento en mi ` +
      `billetera cuando quiera: desde entonces no se entrega nada más; sobre lo ya entregado, debo acudir a ${tenant_name}.`,
    en: ({ tenant_name, purpose, claims }) =>
      `I authorise Constancia to give ${tenant_name}, for “${purpose}”, this data of my wallet: ${claims}. It is also told that the data was ` +
      'verified, when, and what was checked; not for which company, nor anything else. ' +
      `${tenant_name} is responsible for what it receives. I am not obliged to accept. I can withdraw this consent in my wallet whenever I ` +
      `want: nothing more is given from then on; for what was given before, I have to ask ${tenant_name}.`,
  },
  [SIGN_IN_VERSION]: {
    'es-CO': ({ tenant_name, purpose, claims }) =>
      `Autorizo a Constancia a entregar a ${tenant_name}, para «${purpose}», estos datos de mi billetera: ${claims}. No se le entrega ningún ` +
      `otro dato. ${tenant_name} responde por el tratamiento de lo que reciba. No estoy obligado a aceptar. Puedo retirar este ` +
      'consentimiento en mi billetera cuando quiera: desde entonces no se entrega nada más; sobre lo ya entregado, debo acudir a ' +
      `${tenant_name}.`,
    en: ({ tenant_name, purpose, claims }) =>
      `I authorise Constancia to give ${tenant_name}, for “${purpose}”, this data of my wallet: ${claims}. Nothing else is given. ` +
      `${tenant_name} is responsible for what it receives. I am not obliged to accept. I can withdraw this consent in my wallet whenever I ` +
      `want: nothing more is given from then on; for what was given before, I have to ask ${tenant_name}.`,
  },
  [PRESENTED_VERSION]: {
    'es-CO': ({ tenant_name, purpose, claims }) =>
      `Con una aplicación de billetera presenté mi credencial a ${tenant_name}, para «${purpose}», con estos datos: ${claims}. También se le ` +
      'dijo que fueron verificados, cuándo y qué se comprobó; no se le dijo para qué empresa, ni ningún otro dato. ' +
      `${tenant_name} responde por el tratamiento de lo que recibió. Puedo retirar este consentimiento en mi billetera cuando quiera: ` +
      `sobre lo ya entregado, debo acudir a ${tenant_name}.`,
    en: ({ tenant_name, purpose, claims }) =>
      `With a wallet app I presented my credential to ${tenant_name}, for “${purpose}”, with this data: ${claims}. It also learned that the ` +
      'data was verified, when, and what was checked; not for which company, nor anything else. ' +
      `${tenant_name} is responsible for what it received. I can withdraw this consent in my wallet whenever I want: for what was given ` +
      `before, I have to ask ${tenant_name}.`,
  },
};

export const claimLabel = (name: ClaimName, locale: PersonLocale): string => LABELS[locale][name];

/** A text as it was shown; null for a version that never was. */
export function shareText(version: string, locale: PersonLocale, facts: ShareFacts): KeepText | null {
  const write = Object.hasOwn(TEXTS, version) ? TEXTS[version]?.[locale] : undefined;
  if (write === undefined) return null;
  const labels = facts.claims.map((name) => claimLabel(name as ClaimName, locale));
  const text = write({ ...facts, claims: labels.join(', ') });
  return { version, locale, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The text that is shown now. */
export function currentShareText(locale: PersonLocale, facts: ShareFacts): KeepText {
  return shareText(SHARE_VERSION, locale, facts) as KeepText;
}

/** What the receipt of a presented credential says. */
export function currentPresentedText(locale: PersonLocale, facts: ShareFacts): KeepText {
  return shareText(PRESENTED_VERSION, locale, facts) as KeepText;
}

/** What a person agrees to who signs in to an application. */
export function currentSignInText(locale: PersonLocale, facts: ShareFacts): KeepText {
  return shareText(SIGN_IN_VERSION, locale, facts) as KeepText;
}

const SIGN_IN_PURPOSE: Record<PersonLocale, (client: string) => string> = {
  'es-CO': (client) => `Iniciar sesión en ${client}`,
  en: (client) => `Sign in to ${client}`,
};

/** What data is given for to an application. */
export const signInPurpose = (locale: PersonLocale, client: string): string => SIGN_IN_PURPOSE[locale](client);
