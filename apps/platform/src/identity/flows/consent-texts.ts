import { createHash } from 'node:crypto';

export const CONSENT_LOCALES = ['es-CO', 'en'] as const;
export type ConsentLocale = (typeof CONSENT_LOCALES)[number];

/** Changes with every change of a text. */
export const CONSENT_VERSION = '2026-11-21';

/**
 * What a subject agrees to (Ley 1581 of 2012, articles 6 and 9; Decreto 1377 of 2013, articles 5 and 6): purposes, and apart from
 * them that biometric data are sensitive and need not be given.
 */
const TEXTS: Record<ConsentLocale, string> = {
  'es-CO':
    'Autorizo de manera previa, expresa e informada el tratamiento de mis datos personales, entre ellos los de mi documento ' +
    'de identidad, para verificar mi identidad y cumplir las obligaciones de prevención del lavado de activos (SARLAFT). ' +
    'Sé que la imagen de mi rostro es un dato biométrico y por tanto sensible, que no estoy obligado a entregarla, y autorizo su ' +
    'uso solo para compararla con la foto de mi documento. Puedo conocer, actualizar, rectificar y suprimir mis datos, y revocar ' +
    'esta autorización.',
  en:
    'I give my prior, express and informed authorisation for my personal data, among them those of my identity document, to be ' +
    'processed in order to verify my identity and to meet the duties of preventing money laundering (SARLAFT). I know that the ' +
    'picture of my face is biometric and therefore sensitive data, that I am not obliged to give it, and I authorise its use only to ' +
    'compare it with the photo of my document. I may know, update, correct and have my data erased, and revoke this authorisation.',
};

export interface ConsentText {
  version: string;
  locale: ConsentLocale;
  text: string;
  /** Of the text's UTF-8 bytes, hex. */
  sha256: string;
}

export function consentText(locale: ConsentLocale): ConsentText {
  const text = TEXTS[locale];
  return { version: CONSENT_VERSION, locale, text, sha256: createHash('sha256').update(text).digest('hex') };
}
