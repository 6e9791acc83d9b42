import { PDFDocument, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFFont, PDFImage, PDFObject } from 'pdf-lib';
import { embedUnicode } from '../line-of-text.ts';
import type { Font, LineOfText } from '../line-of-text.ts';
import type { CheckedPicture } from '../picture.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { STANDARD_FONTS } from '../standard-measures.ts';
import type { Mark } from './mark.ts';
import { entriesText, objectText } from './object-text.ts';
import type { Renumber } from './object-text.ts';
import type { Update } from './update.ts';

/** Makes the fonts and images of one update, with pdf-lib in a document of their own, and writes them into the update. */
export class Workshop {
  private document: PDFDocument | undefined;
  private unicode: PDFFont | undefined;
  private readonly lines = new Map<LineOfText, string>();
  private readonly images = new Map<CheckedPicture, PDFImage>();
  private readonly written = new Map<string, string>();

  constructor(private readonly update: Update) {}

  /** Makes ready for all marks of the update, before any is drawn: a font holds what was asked for. Throws SealingFailure. */
  async take(sheets: readonly (readonly Mark[])[]): Promise<void> {
    for (const mark of sheets.flat()) {
      if (mark.kind === 'text' && mark.line.winAnsi === undefined) await this.takeLine(mark.line);
      if (mark.kind === 'image') await this.takeImage(mark.picture);
    }
    await this.unicode?.embed();
    for (const image of this.images.values()) await image.embed();
  }

  /** The codes of a line, as a PDF string. */
  codes(line: LineOfText): string {
    return line.winAnsi ?? (this.lines.get(line) as string);
  }

  /** Reference to a font. */
  font(font: Font): string {
    if (font === 'unicode') return this.copy((this.unicode as PDFFont).ref);
    let written = this.written.get(font);
    if (written === undefined) {
      const base = STANDARD_FONTS[font];
      const text = `<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`;
      this.written.set(font, (written = `${this.update.add(text)} 0 R`));
    }
    return written;
  }

  /** Reference to an image. */
  image(picture: CheckedPicture): string {
    return this.copy((this.images.get(picture) as PDFImage).ref);
  }

  private async takeLine(line: LineOfText): Promise<void> {
    this.unicode ??= await embedUnicode(await this.bench());
    this.lines.set(line, this.unicode.encodeText(line.text).toString());
  }

  private async takeImage(picture: CheckedPicture): Promise<void> {
    if (this.images.has(picture)) return;
    const document = await this.bench();
    const { kind, bytes } = picture;
    try {
      this.images.set(picture, await (kind === 'png' ? document.embedPng(bytes) : document.embedJpg(bytes)));
    } catch {
      throw new SealingFailure('invalid_image', 'A picture that is to be drawn is damaged.');
    }
  }

  private async bench(): Promise<PDFDocument> {
    return (this.document ??= await PDFDocument.create());
  }

  /** Depth is that of pdf-lib's own fonts and images. */
  private copy(ref: PDFRef): string {
    const known = this.written.get(ref.toString());
    if (known) return known;
    const { update } = this;
    const number = update.reserve();
    const written = `${number} 0 R`;
    this.written.set(ref.toString(), written);
    const object = (this.document as PDFDocument).context.lookup(ref) as PDFObject;
    const renumber: Renumber = (inner) => this.copy(inner);
    if (object instanceof PDFStream) {
      const contents = object instanceof PDFRawStream ? object.contents : object.getContents();
      update.setStream(number, contents, entriesText(object.dict, ['Length'], renumber));
    } else update.set({ number, generation: 0 }, objectText(object, renumber));
    return written;
  }
}
