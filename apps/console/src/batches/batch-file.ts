import type { components } from '@constancia/sdk/generated/compliance';
import { csvText, hasLostLetters } from '../parts/csv/csv-file.ts';

/** The same of every kind of batch. */
export type BatchCheck = components['schemas']['BatchCheckView'];
export type RowFault = BatchCheck['errors'][number];

/** What the service cannot see: the text is another one than the file of its author. */
export type TextFault = 'not_utf8' | 'letters' | 'nothing';

/** The text of the file that was chosen, else of the lines that were pasted, or what is wrong with it as a text. */
export async function textOf(file: unknown, lines: string): Promise<{ text: string } | { fault: TextFault }> {
  const isFile = file instanceof File && file.size > 0;
  const text = isFile ? await csvText(file) : lines;
  if (text === null) return { fault: 'not_utf8' };
  if (text.trim() === '') return { fault: 'nothing' };
  return hasLostLetters(text) ? { fault: 'letters' } : { text };
}

/** The column of a fault, such as `birth_date` of `/rows/3/payload/birth_date`; empty when it is about the row or the file. */
export const columnOf = ({ pointer }: RowFault): string =>
  /^\/rows\/\d+\/(?:payload\/)?([^/]+)/.exec(pointer)?.[1] ?? '';
