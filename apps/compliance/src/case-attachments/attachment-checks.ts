import { HAZARD_CODES, PdfPool } from '@constancia/pdf-sealing';
import { type FieldError, PayloadTooLarge, UnsupportedMediaType, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { AttachmentType } from '../case-records/attachment-types.ts';
import { orUnavailable } from '../pdfs.module.ts';
import { isJpeg, isPng, jpegSize, type PictureSize, pngSize } from './picture-file.ts';

const PDF = Buffer.from('%PDF-');
/** As of pictures that are uploaded for a verification. */
const MOST_PIXELS = 50_000_000;
const MOST_ERRORS = 20;
const HAZARDS: ReadonlySet<string> = new Set(HAZARD_CODES);

const CHECKS: Record<AttachmentType, (bytes: Buffer) => boolean> = {
  'application/pdf': (bytes) => bytes.subarray(0, PDF.length).equals(PDF),
  'image/png': isPng,
  'image/jpeg': isJpeg,
};

/** Looks at files before they are attached: they are kept as they are, and other people open them. */
@Injectable()
export class AttachmentChecks {
  constructor(private readonly pdfs: PdfPool) {}

  /**
   * Throws UnsupportedMediaType (the bytes are not of that type), ValidationError (damaged, encrypted, or a PDF that does something),
   * PayloadTooLarge (too many pixels) and DependencyUnavailable.
   */
  async pass(bytes: Buffer, type: AttachmentType): Promise<void> {
    if (!CHECKS[type](bytes))
      throw new UnsupportedMediaType(`These bytes are not ${type}: send the file with its own type.`);
    if (type === 'application/pdf') return this.passPdf(bytes);
    const size = type === 'image/png' ? pngSize(bytes) : jpegSize(bytes);
    if (size === null || size.width === 0 || size.height === 0) throw new ValidationError([DAMAGED]);
    refuseLarge(size);
  }

  private async passPdf(bytes: Buffer): Promise<void> {
    const { pageCount, warnings } = await orUnavailable(this.pdfs.inspect(bytes, []));
    const found = pageCount === null ? warnings : warnings.filter(({ code }) => HAZARDS.has(code));
    if (found.length === 0) return;
    throw new ValidationError(found.slice(0, MOST_ERRORS).map(({ code, detail }) => ({ pointer: '', code, detail })));
  }
}

const DAMAGED: FieldError = { pointer: '', code: 'unreadable', detail: 'The picture is damaged: send the whole file.' };

function refuseLarge({ width, height }: PictureSize): void {
  if (width * height > MOST_PIXELS) {
    throw new PayloadTooLarge('The picture has more than 50 megapixels: send a smaller one.');
  }
}
