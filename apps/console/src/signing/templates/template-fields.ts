import type { components } from '@constancia/sdk/generated/signing';
import type { PageSize } from '@constancia/web/pdf';
import type { Box, Limits, Placed } from '../editor/placed.ts';
import type { Sample } from '../editor/preview.tsx';
import { newId } from '../editor/use-fields.ts';

export type TemplateRow = components['schemas']['TemplateView'];
type Placeholder = components['schemas']['PlaceholderView'];

/** A text that is written on the document: its box is as wide as the text may be, and as high as its letters. */
export interface TemplateField extends Placed {
  required: boolean;
  /** Its text may reach the edge of the page: `width` is of the box that is shown alone. */
  unlimited: boolean;
  /** Shown in the preview alone. */
  sample: string;
}

export const TEMPLATE_LIMITS: Limits = { width: [4, 14_400], height: [4, 144] };
/** Points. */
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
  unlimited: false,
  sample: '',
});

export const templateFieldsOf = (placeholders: readonly Placeholder[]): TemplateField[] =>
  placeholders.map(({ key, page, x, y, size, required, max_width: width }) => {
    const field = templateFieldAt(key, { page, x, y, height: size, ...(width !== undefined && { width }) });
    return { ...field, required, unlimited: width === undefined };
  });

/** The box of a text without a limit is shown no wider than the page. */
export const shownWithin = (field: TemplateField, page: PageSize | undefined): TemplateField =>
  field.unlimited && page !== undefined
    ? { ...field, width: Math.max(TEMPLATE_LIMITS.width[0], Math.min(field.width, page.width - field.x)) }
    : field;

/** The header X-Placeholders; null when it is longer than the API reads. */
export function placeholdersHeader(fields: readonly TemplateField[]): string | null {
  const placeholders = fields.map(({ key, page, x, y, width, height, required, unlimited }) => {
    return { key, page, x, y, size: height, required, ...(!unlimited && { max_width: width }) };
  });
  const header = JSON.stringify(placeholders);
  return header.length > LONGEST_HEADER ? null : header;
}

export const templateSample = (field: TemplateField, example: string): Sample => ({
  text: field.sample || example,
  size: field.height,
  onBaseline: true,
  toEdge: field.unlimited,
});
