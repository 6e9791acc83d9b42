import { HelveticaMeasures, lineOfText } from '../line-of-text.ts';
import type { Placeholder } from '../placeholder.ts';
import { placeOf, requireRoom } from '../placement.ts';
import { appendRevision } from './append-revision.ts';
import type { CompiledTemplate } from './compile-template.ts';
import type { Drawing } from './drawing.ts';
import type { PreparedSeal, SealOptions } from './revision.ts';

let measures: Promise<HelveticaMeasures> | undefined;

/**
 * Each value at its placeholder, as drawings: black, on one line. A value that is empty or absent draws nothing. Throws
 * SealingFailure naming the key when one cannot be drawn or does not fit.
 */
export async function drawingsOf(
  template: CompiledTemplate,
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, string>>,
): Promise<Drawing[]> {
  const helvetica = await (measures ??= HelveticaMeasures.load());
  return placeholders.flatMap((placeholder): Drawing[] => {
    const { key, page, x, y, size } = placeholder;
    const line = lineOfText(Object.hasOwn(values, key) ? (values[key] as string) : '', key, helvetica);
    if (!line) return [];
    requireRoom(placeholder, placeOf(placeholder, template.pages).geometry, line);
    return [{ kind: 'text', page, x, y, size, line }];
  });
}

/**
 * Appends one revision to a template: the values at their placeholders, and a signature field that waits for its signature. The
 * file's first bytes are the template's own (those of `template.rewritten` where it was damaged). Throws SealingFailure.
 */
export async function prepareSeal(
  template: CompiledTemplate,
  pdf: Buffer,
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, string>>,
  options: SealOptions,
): Promise<PreparedSeal> {
  const drawings = await drawingsOf(template, placeholders, values);
  const { delta, hole } = await appendRevision(template, drawings, options);
  return { bytes: Buffer.concat([template.rewritten ?? pdf, delta]), ...(hole as Omit<PreparedSeal, 'bytes'>) };
}
