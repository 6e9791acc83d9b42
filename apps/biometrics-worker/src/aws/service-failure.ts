/** Why a service gave no answer: a word of the ports' outcomes. */
export type ServiceFailure = 'not_an_image' | 'no_face' | 'deadline' | 'engine_failure';

/** What the services say about a picture itself; everything else is about them or us. */
const ABOUT_THE_PICTURE: Record<string, ServiceFailure> = {
  InvalidImageFormatException: 'not_an_image',
  ImageTooLargeException: 'not_an_image',
  UnsupportedDocumentException: 'not_an_image',
  BadDocumentException: 'not_an_image',
  DocumentTooLargeException: 'not_an_image',
};

const OUT_OF_TIME = ['AbortError', 'TimeoutError'];

/** Reads an error of a call by its name alone: messages may quote the request. */
export function failureOf(error: unknown): ServiceFailure {
  const name = (error as { name?: string } | null)?.name ?? '';
  if (OUT_OF_TIME.includes(name)) return 'deadline';
  return ABOUT_THE_PICTURE[name] ?? 'engine_failure';
}

/** A percentage of the services as a share of 1. */
export const shareOf = (percentage: number): number => Math.round(percentage * 100) / 10_000;
