import type { Additions, AppendedPage } from './drawing.ts';

/** Pages of the service's own as what is drawn on a file of one empty page. */
export interface OwnPages {
  base: Buffer;
  additions: Additions;
}

/** For PdfPool.draw, which fills files. There is a page at least. */
export function ownPages([first, ...pages]: readonly [AppendedPage, ...AppendedPage[]]): OwnPages {
  const drawings = first.drawings.map((drawing) => ({ ...drawing, page: 1 }));
  return { base: blankPage(first), additions: { drawings, pages } };
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
