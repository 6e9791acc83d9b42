import { ApiError } from '../api/api-error.ts';

const ENDINGS = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const;
export type AttachedType = keyof typeof ENDINGS;

export const ACCEPTED = Object.entries(ENDINGS).flat(2).join(',');
const LARGEST = 10 * 1024 * 1024;

/** A chosen file as it is sent: its type, and its name percent-encoded, with an ending that fits. */
export interface SentFile {
  type: AttachedType;
  encodedName: string;
}

/** Refused here: what the service would refuse without a look at it. */
export function sentFile({ name, type, size }: File): SentFile | 'noFile' | 'tooLarge' {
  if (size === 0 || !(type in ENDINGS)) return 'noFile';
  if (size > LARGEST) return 'tooLarge';
  const known = type as AttachedType;
  const fits = ENDINGS[known].some((ending) => name.toLowerCase().endsWith(ending));
  return { type: known, encodedName: encodeURIComponent(fits ? name : `${name}${ENDINGS[known][0]}`) };
}

/** How names of files of this type end. */
export const endingOf = (type: AttachedType): string => ENDINGS[type][0];

/** The first fault that the service found in a file; null when it refused for another reason. */
export function faultIn(error: unknown): string | null {
  const isRefused = error instanceof ApiError && error.slug === 'validation-error';
  return isRefused ? (error.faults[0]?.code ?? 'other') : null;
}
