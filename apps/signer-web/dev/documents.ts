import { randomBytes } from 'node:crypto';

/** A PDF of so many A4 pages, each with its number in large, and with as many bytes of noise as make it that large. */
export function longDocument(pages: number, bytes = 0): Buffer {
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages} /Kids [${numbered(pages, (page) => `${4 + page * 2} 0 R`)}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ];
  for (let page = 0; page < pages; page++) {
    const content = `BT /F 48 Tf 72 700 Td (${page + 1}) Tj ET BT /F 12 Tf 72 660 Td (Clausula ${page + 1} del contrato) Tj ET`;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + page * 2} 0 R >>`,
      ),
      Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
    );
  }
  if (bytes > 0)
    objects.push(
      Buffer.concat([Buffer.from(`<< /Length ${bytes} >>\nstream\n`), randomBytes(bytes), Buffer.from('\nendstream')]),
    );
  return assembled(objects);
}

const numbered = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => name(index)).join(' ');

function assembled(objects: Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  objects.forEach((object, index) => {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += whole.length;
    parts.push(whole);
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A page with a picture that says it is JPEG 2000: enough for a viewer to fetch its decoder. */
export function jpeg2000Document(): Buffer {
  const codestream = Buffer.from('ff4fff51', 'hex');
  const content = 'q 300 0 0 300 100 400 cm /P Do Q';
  return assembled([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Count 1 /Kids [3 0 R] >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /P 5 0 R >> >> /Contents 4 0 R >>',
    ),
    Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode /Length ${codestream.length} >>\nstream\n`,
      ),
      codestream,
      Buffer.from('\nendstream'),
    ]),
  ]);
}
