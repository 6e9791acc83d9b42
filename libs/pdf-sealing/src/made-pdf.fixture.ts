import { deflateSync } from 'node:zlib';

/** Writes PDFs object by object, so that tests can make every kind of good and bad file. */
export class MadePdf {
  private readonly objects = new Map<number, string | Buffer>();

  /** Sets an object's body: what stands between `obj` and `endobj`. */
  object(number: number, body: string | Buffer): this {
    this.objects.set(number, body);
    return this;
  }

  stream(number: number, content: string | Buffer, dictionary = ''): this {
    const bytes = Buffer.from(content as string);
    return this.object(
      number,
      Buffer.concat([
        Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    );
  }

  deflated(number: number, content: string | Buffer, dictionary = ''): this {
    return this.stream(number, deflateSync(content), `${dictionary} /Filter /FlateDecode`);
  }

  /** The file with a cross-reference table; trailer adds members to `/Root 1 0 R`. */
  bytes(trailer = ''): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    const offsets = new Map<number, number>();
    let at = (parts[0] as Buffer).length;
    for (const [number, body] of this.objects) {
      offsets.set(number, at);
      const part = Buffer.concat([
        Buffer.from(`${number} 0 obj\n`),
        Buffer.from(body as string),
        Buffer.from('\nendobj\n'),
      ]);
      parts.push(part);
      at += part.length;
    }
    const size = Math.max(0, ...offsets.keys()) + 1;
    const rows = Array.from({ length: size }, (_, number) => {
      const offset = offsets.get(number);
      return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
    });
    const end = `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`;
    return Buffer.concat([...parts, Buffer.from(end)]);
  }
}

/** A document of blank pages; attributes go into each page's dictionary. */
export function pagesPdf(attributes: string[] = ['/MediaBox [0 0 595 842]'], tree = ''): MadePdf {
  const kids = attributes.map((_, index) => `${index + 10} 0 R`).join(' ');
  const made = new MadePdf()
    .object(1, '<< /Type /Catalog /Pages 2 0 R >>')
    .object(2, `<< /Type /Pages /Kids [${kids}] /Count ${attributes.length} ${tree} >>`);
  attributes.forEach((page, index) => made.object(index + 10, `<< /Type /Page /Parent 2 0 R ${page} >>`));
  return made;
}

/** The same document with its catalog, pages and all in an object stream, found through a cross-reference stream. */
export function compressedPdf(options: { w?: string; index?: string; objects?: string; size?: number } = {}): Buffer {
  const bodies = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>']; // prettier-ignore
  let offset = 0;
  const head = bodies.map((body, index) => {
    const entry = `${index + 1} ${offset}`;
    offset += body.length + 1;
    return entry;
  });
  const first = `${head.join(' ')} `;
  const content = options.objects ?? first + bodies.join(' ');
  const stream = deflateSync(content);
  const header = '%PDF-1.7\n';
  const objectStream = Buffer.concat([
    Buffer.from(
      `4 0 obj\n<< /Type /ObjStm /N 3 /First ${first.length} /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`,
    ),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const at = header.length + objectStream.length;
  const row = (type: number, second: number, third: number) => [type, second >> 8, second & 255, third];
  const rows = Buffer.from([
    row(0, 0, 255), row(2, 4, 0), row(2, 4, 1), row(2, 4, 2), row(1, header.length, 0), row(1, at, 0),
  ].flat()); // prettier-ignore
  const reference = Buffer.concat([
    Buffer.from(
      `5 0 obj\n<< /Type /XRef /Size ${options.size ?? 6} /W ${options.w ?? '[1 2 1]'} ${options.index ?? ''} /Root 1 0 R /Length ${rows.length} >>\nstream\n`,
    ),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
  return Buffer.concat([Buffer.from(header), objectStream, reference]);
}

/**
 * A file for readers old and new: a table that calls object 3 (a page's resources) free, and a cross-reference stream, named by
 * /XRefStm, that finds it in an object stream.
 */
export function hybridPdf(): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const push = (part: string | Buffer) => {
    const bytes = Buffer.from(part as string);
    parts.push(bytes);
    at += bytes.length;
  };
  const object = (number: number, body: string) => {
    offsets[number] = at;
    push(`${number} 0 obj\n${body}\nendobj\n`);
  };
  push('%PDF-1.5\n');
  object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  object(2, '<< /Type /Pages /Kids [4 0 R] /Count 1 >>');
  object(4, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Resources 3 0 R /Contents 5 0 R >>');
  const content = 'BT /F1 12 Tf 40 500 Td (Before) Tj ET';
  object(5, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  const packed = '3 0 << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >> >>';
  object(6, `<< /Type /ObjStm /N 1 /First 4 /Length ${packed.length} >>\nstream\n${packed}\nendstream`);
  const own = at;
  const row = (type: number, second: number, third: number) => [type, second >> 8, second & 255, third];
  const rows = Buffer.from([row(2, 6, 0), row(1, offsets[6] as number, 0), row(1, own, 0)].flat());
  push(`7 0 obj\n<< /Type /XRef /Size 8 /Index [3 1 6 2] /W [1 2 1] /Root 1 0 R /Length ${rows.length} >>\nstream\n`);
  push(rows);
  push('\nendstream\nendobj\n');
  const table = at;
  const used = (number: number) => `${String(offsets[number]).padStart(10, '0')} 00000 n \n`;
  const free = '0000000000 65535 f \n';
  push(`xref\n0 8\n${free}${used(1)}${used(2)}${free}${used(4)}${used(5)}${free}${free}`);
  push(`trailer\n<< /Size 8 /Root 1 0 R /XRefStm ${own} >>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.concat(parts);
}
