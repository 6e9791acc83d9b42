import type { CodeMessage } from './text-messages.ts';

/** Characters of one message in the 7-bit alphabet of GSM; with one other character it is 70. */
export const ONE_MESSAGE = 160;
const LONGEST_SENDER = 40;

/** Characters that are not kept: all but those of names in the GSM alphabet (3GPP TS 23.038), which lacks ó and í. */
const NOT_GSM = /[^A-Za-z0-9 .,:;'"()&+\-/%?!@ÄÖÑÜäöñüàèéùìò]/g;

/** What a text message says: one message long, for any sender, in letters that every network delivers. */
export function smsText({ code, sender, locale }: Pick<CodeMessage, 'code' | 'sender' | 'locale'>): string {
  const name = plain(sender);
  return locale === 'en'
    ? `${code} is your code to sign a document from ${name}. Valid for 10 minutes. Do not share it.`
    : `${code} es su clave para firmar un documento de ${name}. Vence en 10 minutos. No la comparta.`;
}

/** A name in the GSM alphabet, accents removed where it lacks the letter; `Constancia` for a name of which no letter is left. */
function plain(sender: string): string {
  const letters = [...sender.normalize('NFC')].map((letter) =>
    letter.replace(NOT_GSM, () => letter.normalize('NFD').replaceAll(/\p{M}/gu, '').replace(NOT_GSM, '')),
  );
  const name = letters.join('').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_SENDER).trim();
  return name === '' ? 'Constancia' : name.replace(/\.$/, '');
}
