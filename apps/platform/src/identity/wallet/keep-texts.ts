import { createHash } from 'node:crypto';
import type { KeepText, PersonLocale } from '@constancia/contracts';

/** The version that is shown. A text that was ever shown stays in TEXTS under its version: receipts show it. */
export const KEEP_VERSION = '2026-11-26.2';

/** The versions in which the person agrees that a picture of their face is kept, to recover the wallet. */
const WITH_FACE: readonly string[] = ['2026-11-26.2'];

/** What a person agrees to who keeps a verification (Ley 1581 of 2012, articles 6, 8 and 9). */
const TEXTS: Record<string, Record<PersonLocale, string>> = {
  '2026-11-26': {
    'es-CO':
      'Autorizo a Constancia a guardar en una billetera que es mía, aparte de los datos de la empresa que pidió la verificación: mi ' +
      'nombre, mi fecha de nacimiento, el tipo, país y número de mi documento, cuándo y para qué empresa se verificaron y qué se ' +
      'comprobó, y mi correo. No se guardan las fotos de mi documento ni de mi rostro. Sirve para que yo pueda volver a usar esta ' +
      'verificación; nadie la recibe sin que yo lo apruebe. No estoy obligado a aceptar, y mi verificación no depende de ello. Puedo ver, ' +
      'descargar y borrar lo guardado cuando quiera.',
    en:
      'I authorise Constancia to keep in a wallet of mine, apart from the data of the company that asked for the verification: my name, my ' +
      'date of birth, the type, country and number of my document, when and for which company they were verified and what was checked, and ' +
      'my e-mail address. The pictures of my document and of my face are not kept. It lets me use this verification again; nobody gets it ' +
      'unless I approve. I am not obliged to accept, and my verification does not depend on it. I can see, download and erase what is kept ' +
      'whenever I want.',
  },
  '2026-11-26.2': {
    'es-CO':
      'Autorizo a Constancia a guardar en una billetera que es mía, aparte de los datos de la empresa que pidió la verificación: mi ' +
      'nombre, mi fecha de nacimiento, el tipo, país y número de mi documento, cuándo y para qué empresa se verificaron y qué se ' +
      'comprobó, y mi correo. Si en la verificación se comparó mi rostro, autorizo además a guardar cifrada la foto de mi rostro que se ' +
      'tomó entonces, que es un dato sensible, solo para comprobar que soy yo si pido recuperar la billetera: no se muestra ni se ' +
      'entrega a nadie. No se guardan las fotos de mi documento. Sirve para que yo pueda volver a usar esta verificación; nadie la ' +
      'recibe sin que yo lo apruebe. No estoy obligado a aceptar, y mi verificación no depende de ello. Puedo ver, descargar y borrar lo ' +
      'guardado cuando quiera, salvo la foto de mi rostro: no se puede descargar, y se borra con la billetera.',
    en:
      'I authorise Constancia to keep in a wallet of mine, apart from the data of the company that asked for the verification: my name, my ' +
      'date of birth, the type, country and number of my document, when and for which company they were verified and what was checked, and ' +
      'my e-mail address. If my face was compared in the verification, I also authorise it to keep, encrypted, the picture of my face that ' +
      'was taken then, which is sensitive data, only to check that it is me if I ask to recover the wallet: it is shown and given to ' +
      'nobody. The pictures of my document are not kept. It lets me use this verification again; nobody gets it unless I approve. I am ' +
      'not obliged to accept, and my verification does not depend on it. I can see, download and erase what is kept whenever I want, ' +
      'except the picture of my face: it cannot be downloaded, and is erased with the wallet.',
  },
};

/** Whether a person who agreed to this version agreed that a picture of their face is kept. */
export const allowsFace = (version: string): boolean => WITH_FACE.includes(version);

/** A text as it was shown; null for a version that never was. */
export function keepText(version: string, locale: PersonLocale): KeepText | null {
  const text = Object.hasOwn(TEXTS, version) ? TEXTS[version]?.[locale] : undefined;
  if (text === undefined) return null;
  return { version, locale, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The text that is shown now. */
export function currentKeepText(locale: PersonLocale): KeepText {
  return keepText(KEEP_VERSION, locale) as KeepText;
}
