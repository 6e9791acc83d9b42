import { createHash } from 'node:crypto';
import type { SignatureMark } from '@constancia/pdf-sealing';
import type { FieldError } from '@constancia/problem-json';
import { ONE_LINE } from '../one-line.ts';
import { pngProblem } from './png-ink.ts';

const IMAGE_BYTES = 200 * 1024;

export const MARK_LIMITS = {
  characters: 120,
  imageBytes: IMAGE_BYTES,
  /** As a data URL, in base64. */
  imageCharacters: 'data:image/png;base64,'.length + 4 * Math.ceil(IMAGE_BYTES / 3),
} as const;

/** A signature as it was sent. */
export interface GivenSignature {
  type: 'typed' | 'drawn';
  text?: string;
  image?: string;
}

const DATA_URL = /^data:image\/png;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The signature that was sent, or what is wrong with it. */
export function signatureMark({ type, text, image }: GivenSignature): SignatureMark | FieldError {
  if (type === 'typed') {
    if (image !== undefined) return notOf('image', 'typed');
    return typedMark(text);
  }
  if (text !== undefined) return notOf('text', 'drawn');
  return drawnMark(image);
}

export function isFieldError(value: object): value is FieldError {
  return 'pointer' in value;
}

/** SHA-256 of what was signed with: the text in UTF-8, or the bytes of the picture. */
export function markDigest(mark: SignatureMark): Buffer {
  return createHash('sha256')
    .update(mark.type === 'typed' ? mark.text : mark.image)
    .digest();
}

function notOf(member: 'text' | 'image', type: string): FieldError {
  return { pointer: `/signature/${member}`, code: 'not_allowed', detail: `A ${type} signature has no ${member}.` };
}

function typedMark(given: string | undefined): SignatureMark | FieldError {
  const pointer = '/signature/text';
  if (given === undefined) return { pointer, code: 'required', detail: 'Add this member.' };
  const text = given.normalize('NFC').trim();
  const characters = [...text].length;
  if (characters === 0) return { pointer, code: 'too_short', detail: 'Write the name.' };
  if (characters > MARK_LIMITS.characters) {
    return { pointer, code: 'too_long', detail: `A typed signature has at most ${MARK_LIMITS.characters} characters.` };
  }
  if (!ONE_LINE.test(text)) {
    return { pointer, code: 'wrong_format', detail: 'Must be one line without control characters.' };
  }
  return { type: 'typed', text };
}

function drawnMark(given: string | undefined): SignatureMark | FieldError {
  const pointer = '/signature/image';
  if (given === undefined) return { pointer, code: 'required', detail: 'Add this member.' };
  const base64 = given.replace(DATA_URL, '');
  if (base64.length > Math.ceil(MARK_LIMITS.imageBytes / 3) * 4) return tooLarge(pointer);
  if (!BASE64.test(base64)) return { pointer, code: 'wrong_format', detail: 'Send a PNG as base64 or as a data URL.' };
  const image = Buffer.from(base64, 'base64');
  if (image.length > MARK_LIMITS.imageBytes) return tooLarge(pointer);
  const problem = pngProblem(image);
  return problem ? { pointer, code: 'invalid_image', detail: `The picture ${problem}.` } : { type: 'drawn', image };
}

function tooLarge(pointer: string): FieldError {
  return { pointer, code: 'too_long', detail: `The picture is larger than ${MARK_LIMITS.imageBytes / 1024} KB.` };
}
