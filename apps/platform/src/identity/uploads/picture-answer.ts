/** Why a picture is not taken. */
export type PictureRefusal = 'too_many_pixels' | 'unreadable' | 'animated';

/** What the child is asked for: a picture of a subject, one of a face for a wallet, or a tenant's logo. */
export interface CleaningJob {
  job: 'clean' | 'face' | 'logo';
}

/** What the child answers. With `clean` come the bytes. */
export type CleaningAnswer =
  { answer: 'clean'; width: number; height: number } | { answer: 'refused'; refusal: PictureRefusal };

export class PictureRefused extends Error {
  constructor(readonly refusal: PictureRefusal) {
    super(`the picture is refused: ${refusal}`);
    this.name = 'PictureRefused';
  }
}
