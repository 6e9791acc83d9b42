import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReadingReason } from './document-reader.ts';
import { LocalDocumentReader } from './local-reader.ts';
import { renderCedulaBack } from './rendered/cedula-card.fixture.ts';
import { renderFront } from './rendered/mrz-card.fixture.ts';
import { photographed, seeded } from './rendered/photograph.fixture.ts';
import { drawnCedula, drawnMrzDocument } from './rendered/variants.fixture.ts';

const SLOW = 120_000;
const reader = new LocalDocumentReader();
const patient = { deadlineMs: 60_000, day: '2026-11-21' };

const PERSON = {
  documentNumber: '1032456789',
  surname1: 'NUÑEZ',
  surname2: 'ZULETA',
  givenName1: 'MARÍA',
  sex: 'F',
  birthDate: '1994-02-28',
} as const;
const EXPECTED = { documentType: 'CC', documentNumber: PERSON.documentNumber, country: 'CO' } as const;

const frontOf = async (surnames: string, givenNames: string) =>
  photographed(
    await renderFront([
      { caption: 'APELLIDOS', value: surnames },
      { caption: 'NOMBRES', value: givenNames },
    ]),
  );
const table = () => photographed(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'));

/** A white spot in the middle of the picture, which hides what is under it. */
const burntOut = (picture: Buffer) => {
  const lamp = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><ellipse cx="800" cy="650" rx="600" ry="300" fill="#fff"/></svg>'; // prettier-ignore
  return sharp(picture).composite([{ input: Buffer.from(lamp) }]).jpeg().toBuffer(); // prettier-ignore
};

afterEach(() => vi.restoreAllMocks());

describe('reading photos of cédulas', () => {
  it(
    'passes with both sides, says nothing to the console, and keeps no byte of the fingerprints',
    async () => {
      const printed: unknown[] = [];
      for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
        vi.spyOn(console, method).mockImplementation((...line) => void printed.push(line));
      }
      const [front, back] = [
        await frontOf('NUÑEZ ZULETA', 'MARÍA'),
        await photographed(await renderCedulaBack(PERSON), { skew: 7 }),
      ];
      const reading = await reader.read({ front, back, expected: EXPECTED }, patient);
      expect(reading).toMatchObject({
        outcome: 'pass',
        kind: 'cc_yellow',
        nameTrusted: true,
        engine: 'constancia-documents',
      });
      expect(reading.fields.surnames).toMatchObject({ value: 'NUÑEZ ZULETA', source: 'pdf417', trusted: true });
      expect(Object.keys(reading.fields).sort()).toEqual([
        'birth_date',
        'document_number',
        'given_names',
        'issuing_country',
        'sex',
        'surnames',
      ]);
      expect(printed).toEqual([]);
    },
    SLOW,
  );

  it(
    'reads them in swapped places, and sends to review when the front says another name',
    async () => {
      const [front, back] = [
        await frontOf('NUÑEZ ZULUAGA', 'MARÍA'),
        await photographed(await renderCedulaBack(PERSON)),
      ];
      const reading = await reader.read({ front: back, back: front, expected: EXPECTED }, patient);
      expect(reading).toMatchObject({ outcome: 'review', reasons: ['name_unconfirmed'], nameTrusted: false });
      expect(reading.fields.surnames?.trusted).toBe(false);
    },
    SLOW,
  );

  it(
    'reads a document that was held upside down',
    async () => {
      const front = await sharp(await frontOf('NUÑEZ ZULETA', 'MARÍA'))
        .rotate(180)
        .jpeg()
        .toBuffer();
      const back = await photographed(await renderCedulaBack(PERSON), { orientation: 2 });
      expect(await reader.read({ front, back, expected: EXPECTED }, patient)).toMatchObject({
        outcome: 'pass',
        fields: { surnames: { value: 'NUÑEZ ZULETA' } },
      });
    },
    SLOW,
  );

  it.each<[string, ReadingReason, () => Promise<Buffer>]>([
    ['is blurred', 'blurred', async () => photographed(await renderCedulaBack(PERSON), { blur: 4 })],
    ['is burnt out by a reflection', 'glare', async () => burntOut(await photographed(await renderCedulaBack(PERSON)))],
    ['shows the front', 'wrong_side', () => frontOf('NUÑEZ ZULETA', 'MARÍA')],
  ])(
    'asks for another picture, and says why, when the back %s',
    async (_, reason, back) => {
      const front = await frontOf('NUÑEZ ZULETA', 'MARÍA');
      const reading = await reader.read({ front, back: await back(), expected: EXPECTED }, patient);
      expect(reading).toMatchObject({ outcome: 'retry', fields: {} });
      expect(reading.reasons[0]).toBe(reason);
    },
    SLOW,
  );
});

describe('a few of the rendered variants (all of them: npm run bench -- documents)', () => {
  it.each([0, 4, 9])(
    'barcode number %d is read exactly',
    async (seed) => {
      const { machine, expected, truth } = await drawnCedula(seed);
      const { fields } = await reader.read({ front: machine, expected }, patient);
      for (const [name, value] of Object.entries(truth)) expect(fields[name as keyof typeof truth]?.value).toBe(value);
    },
    SLOW,
  );

  it.each([0, 1, 2])(
    'MRZ number %d is read exactly, with all check digits',
    async (seed) => {
      const { machine, expected, truth } = await drawnMrzDocument(seed);
      const { fields, checkDigits } = await reader.read({ front: machine, expected }, patient);
      for (const [name, value] of Object.entries(truth)) expect(fields[name as keyof typeof truth]?.value).toBe(value);
      expect(Object.values(checkDigits)).not.toContain(false);
    },
    SLOW,
  );
});

/** A PNG that says it has 144 megapixels; there is nearly nothing behind its header. */
function bomb(): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(12_000, 0);
  size.writeUInt32BE(12_000, 4);
  return Buffer.concat([header, size, Buffer.from('0800000000', 'hex'), Buffer.alloc(64)]);
}

describe('hostile pictures', () => {
  it.each([
    ['no bytes', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('%PDF-1.7 not a picture at all, 1032456789')],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      'a GIF',
      async () =>
        sharp(await table())
          .resize(40)
          .gif()
          .toBuffer(),
    ],
    ['a JPEG cut off', async () => (await table()).subarray(0, 3_000)],
    ['a PNG of 144 megapixels', bomb],
  ])(
    '%s: not an image',
    async (_, make) => {
      const reading = await reader.read({ front: await make() }, patient);
      expect(reading).toMatchObject({ outcome: 'retry', reasons: ['not_an_image'], fields: {}, quality: [] });
    },
    SLOW,
  );

  it.each([
    [
      'one pixel',
      () =>
        sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
    [
      'one pixel high',
      () =>
        sharp({ create: { width: 3000, height: 1, channels: 3, background: '#777' } })
          .png()
          .toBuffer(),
    ],
    [
      'transparent',
      () =>
        sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
          .webp()
          .toBuffer(),
    ],
    ['noise', noise],
    ['combs of lines', combs],
  ])(
    '%s: a retry, within the deadline',
    async (_, make) => {
      const reading = await reader.read({ front: await make() }, { ...patient, deadlineMs: 2_000 });
      expect(['retry', 'error']).toContain(reading.outcome);
      expect(reading.fields).toEqual({});
      expect(reading.tookMs).toBeLessThan(15_000); // one stage more, on a busy machine
    },
    SLOW,
  );

  it(
    'without time: an error that says so, not a word about the picture',
    async () => {
      const reading = await reader.read({ front: await table() }, { deadlineMs: 0 });
      expect(reading).toMatchObject({ outcome: 'error', reasons: ['deadline'], fields: {} });
    },
    SLOW,
  );

  it(
    'without its barcode reader: an error, and no path in it',
    async () => {
      const broken = new LocalDocumentReader({ wasmPath: '/nowhere/zxing_reader.wasm' });
      const reading = await broken.read({ front: await table() }, patient);
      expect(reading).toMatchObject({ outcome: 'error', reasons: ['engine_failure'] });
      expect(JSON.stringify(reading)).not.toContain('nowhere');
    },
    SLOW,
  );
});

function noise(): Promise<Buffer> {
  const random = seeded(5);
  const data = Buffer.from(Array.from({ length: 900 * 700 }, () => Math.floor(random() * 256)));
  return sharp(data, { raw: { width: 900, height: 700, channels: 1 } })
    .png()
    .toBuffer();
}

function combs(): Promise<Buffer> {
  const data = Buffer.from(
    Array.from({ length: 1200 * 800 }, (_, at) => (at % 9 < 4 && Math.floor(at / 1200) % 23 < 14 ? 20 : 235)),
  );
  return sharp(data, { raw: { width: 1200, height: 800, channels: 1 } })
    .png()
    .toBuffer();
}
