import type { components } from '@constancia/sdk/generated/signing';
import type { Box, Limits, Placed } from '../editor/placed.ts';
import type { Sample } from '../editor/preview.tsx';
import { newId } from '../editor/use-fields.ts';

export type TemplateRow = components['schemas']['TemplateView'];
type Placeholder = components['schemas']['PlaceholderView'];

/** A text that is written on the document: its box is as wide as the text may be, and as high as its letters. */
export interface TemplateField extends Placed {
  required: boolean;
  /** Shown in the preview alone. */
  sample: string;
}

export const TEMPLATE_LIMITS: Limits = { width: [4, 14_400], height: [4, 144] };
/** Of a placeholder that sets no limit to its text. */
const WIDTH = 200;
const TEXT_SIZE = 12;
/** Bytes: a longer header is refused. */
const LONGEST_HEADER = 8_192;

export const templateFieldAt = (key: string, box: Pick<Box, 'page' | 'x' | 'y'> & Partial<Box>): TemplateField => ({
  width: WIDTH,
  height: TEXT_SIZE,
  ...box,
  id: newId(),
  key,
  required: true,
  sample: '',
});

export const templateFieldsOf = (placeholders: readonly Placeholder[]): TemplateField[] =>
  placeholders.map(({ key, page, x, y, size, required, max_width: width = WIDTH }) => {
    return { ...templateFieldAt(key, { page, x, y, width, height: size }), required };
  });

/** The header X-Placeholders; null when it is longer than the API reads. */
export function placeholdersHeader(fields: readonly TemplateField[]): string | null {
  const placeholders = fields.map(({ key, page, x, y, width, height, required }) => {
    return { key, page, x, y, size: height, required, max_width: width };
  });
  const header = JSON.stringify(placeholders);
  return header.length > LONGEST_HEADER ? null : header;
}

export const templateSample = (field: TemplateField, example: string): Sample => ({
  text: field.sample || example,
  size: field.height,
  onBaseline: true,
});
