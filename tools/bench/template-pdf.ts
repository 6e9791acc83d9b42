import { createHash } from 'node:crypto';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import type { PDFFont, PDFPage, PDFRef } from 'pdf-lib';

const LINES = 40;

/**
 * A template for the bench, saved as pdf-lib does by default: a contract of so many pages, tagged for screen readers as office programs
 * do (each line is a paragraph with a span in the structure tree), with as many bytes of pictures as it takes to come to a size.
 */
export async function templateOf(pages: number, bytes: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  const { context } = document;
  const font = await document.embedFont(StandardFonts.Helvetica);
  const root = context.nextRef();
  const paragraphs: PDFRef[] = [];
  for (let number = 1; number <= pages; number++) paragraphs.push(...writePage(document, font, root, number));
  context.assign(root, context.obj({ Type: 'StructTreeRoot', K: paragraphs }));
  document.catalog.set(PDFName.of('StructTreeRoot'), root);
  const small = await document.save();
  const each = Math.max(0, Math.floor((bytes - small.length) / pages) - 280);
  document.getPages().forEach((page, nth) => addPicture(document, page, each, nth));
  return Buffer.from(await document.save());
}

/** Bytes that do not compress, like a photograph's. */
function addPicture({ context }: PDFDocument, page: PDFPage, bytes: number, nth: number): void {
  const pixels = createHash('shake256', { outputLength: bytes }).update(`picture ${nth}`).digest();
  const entries = { Type: 'XObject', Subtype: 'Image', Width: bytes, Height: 1, ColorSpace: 'DeviceGray' };
  const picture = context.stream(pixels, { ...entries, BitsPerComponent: 8 });
  page.node.newXObject('Scan', context.register(picture));
}

function writePage(document: PDFDocument, font: PDFFont, root: PDFRef, number: number): PDFRef[] {
  const { context } = document;
  const page = document.addPage([595, 842]);
  const name = page.node.newFontDictionary('Text', font.ref);
  let content = '';
  const paragraphs: PDFRef[] = [];
  for (let line = 0; line < LINES; line++) {
    const codes = font.encodeText(
      `Página ${number}, cláusula ${line + 1}: las partes acuerdan lo que dice esta línea.`,
    );
    content += `/P << /MCID ${line} >> BDC BT ${name} 10 Tf 50 ${780 - line * 17} Td ${codes} Tj ET EMC\n`;
    const paragraph = context.nextRef();
    const span = context.obj({ Type: 'StructElem', S: 'Span', P: paragraph, Pg: page.ref, K: line });
    context.assign(paragraph, context.obj({ Type: 'StructElem', S: 'P', P: root, K: context.register(span) }));
    paragraphs.push(paragraph);
  }
  page.node.addContentStream(context.register(context.flateStream(content)));
  return paragraphs;
}
