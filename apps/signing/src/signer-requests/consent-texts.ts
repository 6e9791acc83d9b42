import { createHash } from 'node:crypto';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

/** What a signer agrees to before signing by electronic means, in one language. */
export interface ConsentText {
  version: string;
  locale: EnvelopeLocale;
  /** Paragraphs, one empty line between them. */
  text: string;
  /** SHA-256 of the text in UTF-8, hex: kept as evidence. */
  sha256: string;
}

/**
 * The version that is asked for now. Anyone who changes one letter of a text gives it a new version, and keeps the old texts below: the
 * evidence of earlier signatures names them.
 */
export const CONSENT_VERSION = '2026-11';

const PARAGRAPHS: Record<EnvelopeLocale, readonly string[]> = {
  'es-CO': [
    'Usted va a firmar por medios electrónicos. Lea esto antes de continuar.',
    'Qué acepta. Acepta recibir en forma electrónica el documento de este enlace y firmarlo electrónicamente. Acuerda con quien se lo envía que esa firma vale como método de firma confiable y apropiado, en los términos de la Ley 527 de 1999 y del Decreto 2364 de 2012. Donde se apliquen las leyes de los Estados Unidos (ESIGN y UETA), este es su consentimiento según ellas.',
    'Hasta dónde llega. Su aceptación vale solo para este documento y para los avisos sobre él. No lo obliga a firmar otros documentos por este medio.',
    'Copia en papel. Puede pedir a quien le envía el documento una copia en papel, o pedir que la firma se haga en papel. Pregúntele si esa copia tiene algún costo y cómo se entrega.',
    'Retirar su consentimiento. Puede retirarlo sin costo en cualquier momento antes de firmar: pulse «No voy a firmar» y diga por qué, o cierre esta página y avise a quien le envió el enlace. Lo que firme antes de retirarlo sigue siendo válido.',
    'Qué necesita. Un teléfono, una tableta o un computador con internet y un navegador actualizado; acceso a su correo electrónico, y un programa que abra archivos PDF. Si puede leer esta página y ver el documento en ella, su equipo sirve. Si cambia de correo, avise a quien le envía el documento.',
    'Conservación. Cuando todos hayan firmado, el documento se sella para que cualquier cambio posterior se note. Descárguelo y guárdelo, o pida una copia a quien se lo envió, que debe conservarlo durante el tiempo que exija la ley.',
    'Qué se registra. Para probar quién firmó y cuándo se guardan su nombre y correo, la fecha y la hora, la dirección IP y el navegador, cómo se comprobó su identidad, la huella digital del documento que vio y su firma. Su código o enlace es personal: no lo comparta.',
  ],
  en: [
    'You are about to sign by electronic means. Please read this before you go on.',
    'What you agree to. You agree to receive the document behind this link in electronic form and to sign it electronically. You agree with its sender that this signature is a reliable and appropriate way of signing, under Colombian Law 527 of 1999 and Decree 2364 of 2012. Where the laws of the United States apply (ESIGN and UETA), this is your consent under them.',
    'How far it goes. Your consent covers this document and the notices about it, nothing else. It does not oblige you to sign other documents this way.',
    'Paper copies. You may ask the sender for a copy on paper, or to sign on paper instead. Ask whether that copy has a cost and how it is delivered.',
    'Withdrawing. You may withdraw at no cost at any time before you sign: choose "I will not sign" and say why, or close this page and tell whoever sent you the link. What you sign before withdrawing stays valid.',
    'What you need. A phone, a tablet or a computer with an internet connection and an up-to-date browser; access to your e-mail, and a program that opens PDF files. If you can read this page and see the document on it, your equipment will do. If your e-mail address changes, tell the sender.',
    'Keeping records. Once everyone has signed, the document is sealed so that any later change shows. Download it and keep it, or ask the sender for a copy: the sender must keep it for as long as the law requires.',
    'What is recorded. To prove who signed and when, we keep your name and e-mail address, date and time, IP address and browser, how your identity was checked, the digital fingerprint of the document you were shown, and your signature. Your code and your link are personal: do not share them.',
  ],
};

const TEXTS = new Map(
  (Object.keys(PARAGRAPHS) as EnvelopeLocale[]).map((locale) => {
    const text = PARAGRAPHS[locale].join('\n\n');
    const sha256 = createHash('sha256').update(text).digest('hex');
    return [locale, { version: CONSENT_VERSION, locale, text, sha256 }];
  }),
);

/** The text of the present version in a language. */
export function consentText(locale: EnvelopeLocale): ConsentText {
  return TEXTS.get(locale) as ConsentText;
}
