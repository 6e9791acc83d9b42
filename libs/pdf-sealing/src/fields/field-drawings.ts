import type { Colour, PlacedDrawing, TextBox } from '../drawing.ts';
import { BOGOTA, dayInWords, inBogota } from '../times.ts';
import type { Locale } from '../times.ts';

export type SignerFieldType = 'signature' | 'initials' | 'name' | 'date' | 'text' | 'checkbox';

/** A place on the document that one signer fills in. Points; x and y: the lower-left corner of its box, as a viewer shows the page. */
export interface SignerField {
  key: string;
  /** 1-based. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  type: SignerFieldType;
  /** Of a checkbox: what the tick is for. Drawn to its right in a box that is wide enough; the certificate of completion has the others. */
  label?: string;
}

/** What a signer signs with: their name, or a PNG of what they drew. */
export type SignatureMark = { type: 'typed'; text: string } | { type: 'drawn'; image: Uint8Array };

/** Who signed and when, to stand in small under each signature. */
export interface SignatureCaption {
  name: string;
  at: Date;
  locale: Locale;
}

/** What one signer gave. `values` by field key: true for a ticked checkbox, a date as `2026-11-21`, text as it is. */
export interface SignerAnswers {
  signature: SignatureMark;
  values: Readonly<Record<string, string | boolean>>;
  caption?: SignatureCaption;
  /** Of the dates. */
  locale: Locale;
}

const INK: Colour = [0.05, 0.13, 0.42];
const TEXT: Colour = [0.07, 0.07, 0.1];
const GREY: Colour = [0.38, 0.4, 0.45];
const SIDE_PT = 2;
const MOST_TEXT_PT = 11;
const MOST_SIGNATURE_PT = 26;
/** Of a box's height, what the letters of one line may be. */
const LETTER_SHARE = 0.72;
/** Of a line that text is broken over when it does not fit on one: low enough for the smallest letters. */
const LEAST_LINE_PT = 4.8;
/** Under a signature: a line, and below it two lines of text. */
const CAPTION = { height: 14, rule: 0.5, line: 6.2, size: 5.6 };
/** A box that is smaller has no room for a caption: the signature has it alone. */
const CAPTIONED = { width: 90, height: 36 };
const SIGNED = { 'es-CO': 'Firmado electrónicamente', en: 'Signed electronically' };

/**
 * What one signer's answers look like on the document, in the order of the fields. A field without an answer stays blank. Drawing refuses by
 * the field's key what does not fit its box or the page, or has a character that cannot be drawn: a signer learns of it before they sign.
 */
export function fieldDrawings(fields: readonly SignerField[], answers: SignerAnswers): PlacedDrawing[] {
  return fields.flatMap((field) => drawingsOf(field, answers));
}

function drawingsOf(field: SignerField, { signature, values, caption, locale }: SignerAnswers): PlacedDrawing[] {
  if (field.type === 'signature') return signatureDrawings(field, signature, caption);
  const value = Object.hasOwn(values, field.key) ? values[field.key] : undefined;
  if (field.type === 'checkbox') return value === true ? tickDrawings(field) : [];
  if (typeof value !== 'string') return [];
  if (field.type === 'date') return [textOf(field, dayInWords(value, field.width, locale))];
  return [field.type === 'initials' ? written(field, value) : textOf(field, value)];
}

function signatureDrawings(
  field: SignerField,
  signature: SignatureMark,
  caption: SignatureCaption | undefined,
): PlacedDrawing[] {
  const room = field.width >= CAPTIONED.width && field.height >= CAPTIONED.height;
  if (!caption || !room) return [markOf(field, signature)];
  const above = { ...field, y: field.y + CAPTION.height, height: field.height - CAPTION.height };
  return [markOf(above, signature), ...captionDrawings(field, caption)];
}

/** Drawn from evidence: it is cut rather than refused. */
function captionDrawings(field: SignerField, { name, at, locale }: SignatureCaption): PlacedDrawing[] {
  const { height, rule, line, size } = CAPTION;
  const box = boxOf(field);
  const small = { kind: 'text_box', ...box, height: line, size, lenient: true } as const;
  const when = `${inBogota(at)} ${BOGOTA}`;
  return [
    { kind: 'rule', ...box, y: field.y + height - rule, height: rule, colour: GREY },
    { ...small, y: field.y + line + 0.6, text: name, face: 'bold', colour: TEXT },
    { ...small, y: field.y, text: `${SIGNED[locale]} · ${when}`, colour: GREY },
  ];
}

function markOf(field: SignerField, signature: SignatureMark): PlacedDrawing {
  if (signature.type === 'drawn') return { kind: 'image', ...boxOf(field), bytes: signature.image };
  return { ...written(field, signature.text), align: 'left' };
}

/** As a hand writes. */
function written(field: SignerField, text: string): PlacedDrawing & TextBox {
  const size = Math.min(MOST_SIGNATURE_PT, field.height * LETTER_SHARE);
  return { kind: 'text_box', ...inset(field), text, size, face: 'signature', align: 'centre', colour: INK };
}

/** Whether a box has room for its label to the right of the tick. What the document has around a smaller box is not known: nothing is drawn there. */
const hasRoomForLabel = ({ width, height }: SignerField) => width >= 3 * height;

/** What the ticked boxes are for that have no room for their label. */
export function labelsWithoutRoom(fields: readonly SignerField[], values: SignerAnswers['values']): string[] {
  return fields.flatMap((field) => {
    const { type, key, label } = field;
    const ticked = type === 'checkbox' && Object.hasOwn(values, key) && values[key] === true;
    return ticked && label !== undefined && !hasRoomForLabel(field) ? [label] : [];
  });
}

/** The tick; in a box with room for it, also what it is for. */
function tickDrawings(field: SignerField): PlacedDrawing[] {
  const { label, x, width, height } = field;
  if (label === undefined || !hasRoomForLabel(field)) return [{ kind: 'checkmark', ...boxOf(field), colour: INK }];
  const tick: PlacedDrawing = { kind: 'checkmark', ...boxOf(field), width: height, colour: INK };
  const beside = textOf({ ...field, x: x + height + SIDE_PT, width: width - height - SIDE_PT }, label);
  return [tick, { ...beside, lenient: true } as PlacedDrawing];
}

/** On one line while it fits there; a box with room for several is filled from its top. */
function textOf(field: SignerField, text: string): PlacedDrawing {
  const size = Math.min(MOST_TEXT_PT, field.height * LETTER_SHARE);
  const lines = Math.max(1, Math.floor(field.height / LEAST_LINE_PT));
  const from = field.height > 3 * size ? 'top' : 'middle';
  return { kind: 'text_box', ...inset(field), text, size, lines, from, colour: TEXT };
}

function boxOf({ key, page, x, y, width, height }: SignerField) {
  return { key, page, x, y, width, height };
}

/** Off the edges of a frame that the document may have there. A box that is too narrow is used whole. */
function inset(field: SignerField) {
  const box = boxOf(field);
  if (box.width <= 6 * SIDE_PT) return box;
  return { ...box, x: box.x + SIDE_PT, width: box.width - 2 * SIDE_PT };
}
