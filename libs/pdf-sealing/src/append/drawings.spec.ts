import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pagesPdf } from '../made-pdf.fixture.ts';
import { pixelsOf, qpdfCheck, readers } from '../poppler.fixture.ts';
import { appendRevision } from './append-revision.ts';
import { compileTemplate } from './compile-template.ts';
import type { Drawing } from './drawing.ts';

async function drawn(attributes: string, drawings: Drawing[]): Promise<Buffer> {
  const pdf = pagesPdf([attributes]).bytes();
  const { delta } = await appendRevision(await compileTemplate(pdf), drawings, undefined);
  return Buffer.concat([pdf, delta]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A PNG of 2 by 2 grey pixels: black and white above, white and see-through black below. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 4, 0, 0, 0]);
  const rows = Buffer.from([0, 0, 255, 255, 255, 0, 255, 255, 0, 0]);
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe.skipIf(!readers.qpdf || !readers.poppler)('on a page turned by', () => {
  it.each([0, 90, 180, 270])('%i degrees, an image and a checkmark stand upright at their place', async (turn) => {
    const file = await drawn(`/MediaBox [50 50 450 450] /Rotate ${turn}`, [
      { kind: 'image', page: 1, x: 100, y: 200, width: 80, height: 40, bytes: png() },
      { kind: 'checkmark', page: 1, x: 300, y: 100, size: 50 },
    ]);
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    const { width, pixels } = pixelsOf(file, 1);
    const grey = (x: number, y: number) => pixels[(400 - y) * width + x] as number;
    // Above: black, white. Below: white, see-through.
    expect([grey(110, 232), grey(170, 232), grey(110, 208), grey(170, 208)]).toEqual([0, 255, 255, 255]);
    expect(grey(95, 232)).toBe(255);
    // The tick: its foot, its long arm; nothing at the upper left.
    expect([grey(320, 111), grey(332, 127), grey(305, 145)]).toEqual([0, 0, 255]);
  });
});

it('what is neither PNG nor JPEG is refused', async () => {
  const bytes = Buffer.from('GIF89a');
  const drawing: Drawing = { kind: 'image', page: 1, x: 0, y: 0, width: 9, height: 9, bytes };
  await expect(drawn('/MediaBox [0 0 99 99]', [drawing])).rejects.toMatchObject({ code: 'invalid_pdf' });
});
