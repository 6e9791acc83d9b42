import type { components } from '@constancia/sdk/generated/compliance';
import { csvText, hasLostLetters } from '../../parts/csv-file.ts';

/** Columns of the file, by the names that the API has for them. Only subject_ref must be there. */
export const BATCH_COLUMNS = [
  'subject_ref',
  'subject_type',
  'full_name',
  'birth_date',
  'document_type',
  'document_number',
  'document_country',
  'country_code',
  'subject_age',
  'kyc_status',
  'amount',
  'currency',
] as const;

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
  /^\/rows\/\d+\/(?:payload\/)?([a-z_]+)/.exec(pointer)?.[1] ?? '';
