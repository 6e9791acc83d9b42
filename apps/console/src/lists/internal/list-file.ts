import { csvText, hasLostLetters } from '../../parts/csv/csv-file.ts';
import type { Preview } from './use-internal-list.ts';

/** The text of a file; null when it is in another encoding than UTF-8 or has lost letters: its names would match nobody. */
export async function listText(file: File): Promise<string | null> {
  const text = await csvText(file);
  return text === null || hasLostLetters(text) ? null : text;
}

/** What the preview would say of such a file, which is not sent. */
export const WRONG_ENCODING: Preview = {
  valid: false,
  entries: 0,
  added: 0,
  changed: 0,
  removed: 0,
  faults: [{ line: null, code: 'wrong_encoding', detail: '' }],
};
