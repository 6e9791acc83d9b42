import { appendRevision } from './append/append-revision.ts';
import { compileTemplate } from './append/compile-template.ts';
import type { PreparedSeal, SealOptions } from './append/revision.ts';
import type { AppendedPage } from './drawing.ts';
import { laidOut } from './lay-out.ts';
import { SealingFailure } from './sealing-failure.ts';

/**
 * A document of the service's own, with a signature field whose signature is still to be computed. It is made in the calling process:
 * nobody's file is read for it, which is what PdfPool's children are for. Throws SealingFailure.
 */
export async function ownDocument(pages: readonly AppendedPage[], seal: SealOptions): Promise<PreparedSeal> {
  const [first, ...others] = pages;
  if (!first) throw new SealingFailure('internal', 'A document has a page at least.');
  const base = blankPage(first);
  const template = await compileTemplate(base);
  const drawings = first.drawings.map((drawing) => ({ ...drawing, page: 1 }));
  const content = laidOut({ drawings, pages: others }, template.pages);
  const { delta, hole } = await appendRevision(template, content, seal);
  if (!hole) throw new SealingFailure('internal', 'The document has no room for its signature.');
  return { bytes: Buffer.concat([base, delta]), ...hole };
}

/** A file of one empty page. */
function blankPage({ width, height }: Pick<AppendedPage, 'width' | 'height'>): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << >> >>`,
  ];
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const rows = ['0000000000 65535 f \n'];
  objects.forEach((body, nth) => {
    rows.push(`${String(file.length).padStart(10, '0')} 00000 n \n`);
    file += `${nth + 1} 0 obj\n${body}\nendobj\n`;
  });
  const trailer = `trailer\n<< /Size ${rows.length} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${rows.length}\n${rows.join('')}${trailer}`, 'latin1');
}
