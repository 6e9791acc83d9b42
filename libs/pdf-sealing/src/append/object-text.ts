import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

/** What an object's references become in the file it is written to. */
export type Renumber = (ref: PDFRef) => string;

export const asItIs: Renumber = (ref) => `${ref.objectNumber} ${ref.generationNumber} R`;

/** An object (no stream) as it is written in a file: latin1 text. */
export function objectText(object: PDFObject, renumber: Renumber = asItIs): string {
  if (object instanceof PDFRef) return renumber(object);
  if (object instanceof PDFDict) return `<< ${entriesText(object, [], renumber)}>>`;
  if (object instanceof PDFArray) return `[${itemsText(object, renumber)}]`;
  return object.toString();
}

/** The entries of a dictionary but for some, each with a space behind it. */
export function entriesText(dict: PDFDict, except: readonly string[] = [], renumber: Renumber = asItIs): string {
  let text = '';
  for (const [key, value] of dict.entries())
    if (!except.some((name) => key === PDFName.of(name))) text += `${key.toString()} ${objectText(value, renumber)} `;
  return text;
}

export function itemsText(array: PDFArray, renumber: Renumber = asItIs): string {
  return array
    .asArray()
    .map((item) => objectText(item, renumber))
    .join(' ');
}
