import { PDFDocument, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFFont, PDFImage, PDFObject } from 'pdf-lib';
import { embedUnicode } from '../line-of-text.ts';
import type { Face, LineOfText } from '../line-of-text.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { entriesText, objectText } from './object-text.ts';
import type { Renumber } from './object-text.ts';
import type { Update } from './update.ts';

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** Makes the fonts and images of one update, with pdf-lib in a document of their own, and writes them into the update. */
export class Workshop {
  private document: PDFDocument | undefined;
  private unicode: PDFFont | undefined;
  private readonly images = new Map<Uint8Array, PDFImage>();
  private readonly written = new Map<string, string>();

  /** The codes of a line, as a PDF string. All lines are encoded before a font is written: it holds what was asked for. */
  async codes({ text, winAnsi }: LineOfText): Promise<string> {
    if (winAnsi !== undefined) return winAnsi;
    this.unicode ??= await embedUnicode(await this.bench());
    return this.unicode.encodeText(text).toString();
  }

  /** PNG or JPEG. Throws SealingFailure invalid_pdf when it is neither. */
  async takeImage(bytes: Uint8Array): Promise<void> {
    if (this.images.has(bytes)) return;
    const document = await this.bench();
    try {
      const isPng = bytes[0] === 0x89;
      this.images.set(bytes, await (isPng ? document.embedPng(bytes) : document.embedJpg(bytes)));
    } catch {
      throw new SealingFailure('invalid_pdf', 'An image to draw is neither PNG nor JPEG.');
    }
  }

  /** Writes what was asked for; answers how to refer to a face or an image. */
  async writeInto(update: Update): Promise<{ font: (face: Face) => string; image: (bytes: Uint8Array) => string }> {
    let helvetica: string | undefined;
    await this.unicode?.embed();
    for (const image of this.images.values()) await image.embed();
    const renumber = (ref: PDFRef) => this.copy(ref, update);
    return {
      font: (face) =>
        face === 'helvetica' ? (helvetica ??= `${update.add(HELVETICA)} 0 R`) : renumber((this.unicode as PDFFont).ref),
      image: (bytes) => renumber((this.images.get(bytes) as PDFImage).ref),
    };
  }

  private async bench(): Promise<PDFDocument> {
    return (this.document ??= await PDFDocument.create());
  }

  /** Depth is that of pdf-lib's own fonts and images. */
  private copy(ref: PDFRef, update: Update): string {
    const known = this.written.get(ref.toString());
    if (known) return known;
    const number = update.reserve();
    const written = `${number} 0 R`;
    this.written.set(ref.toString(), written);
    const object = (this.document as PDFDocument).context.lookup(ref) as PDFObject;
    const renumber: Renumber = (inner) => this.copy(inner, update);
    if (object instanceof PDFStream) {
      const contents = object instanceof PDFRawStream ? object.contents : object.getContents();
      update.setStream(number, contents, entriesText(object.dict, ['Length'], renumber));
    } else update.set({ number, generation: 0 }, objectText(object, renumber));
    return written;
  }
}
