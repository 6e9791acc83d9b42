import fs from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { textPaths } from './outlines.fixture.ts';

/** Invented people only. Names in upper case; dates `YYYY-MM-DD`. */
export interface CedulaFields {
  documentNumber: string;
  surname1: string;
  surname2?: string;
  givenName1: string;
  givenName2?: string;
  sex: 'M' | 'F';
  birthDate: string;
  /** `O+`, `AB-`… */
  blood?: string;
  /** Tarjeta de identidad instead of cédula. */
  minor?: boolean;
  /** The variant without `PubDSK_1`, whose fields stand one byte later. */
  unmarked?: boolean;
}

export const CARD_WIDTH_PX = 1500;
export const CARD_HEIGHT_PX = 946;

/** The 531 bytes that a card's barcode holds; the biometric tail is noise. */
export function cedulaPayload(fields: CedulaFields): Buffer {
  const payload = Buffer.alloc(531);
  const shift = fields.unmarked ? 1 : 0;
  const put = (at: number, text: string) => payload.write(text, at, 'latin1');
  put(0, fields.minor ? 'I3' : '03');
  put(2, '12345678');
  if (!fields.unmarked) put(24, 'PubDSK_1');
  put(40 + shift, '00004321');
  put(48 + shift, fields.documentNumber.padStart(10, '0'));
  const names = [fields.surname1, fields.surname2 ?? '', fields.givenName1, fields.givenName2 ?? ''];
  names.forEach((name, index) => put(58 + shift + 23 * index, name.slice(0, 22)));
  put(150 + shift, `0${fields.sex}${fields.birthDate.replaceAll('-', '')}05001`);
  const blood = fields.blood ?? 'O+';
  put(165 + shift, `0${blood}`);
  for (let at = 166 + shift + blood.length + 2; at < payload.length; at++)
    payload[at] = (at * 167 + 43 * (at % 7)) & 255;
  return payload;
}

let prepared: Promise<unknown> | null = null;

function prepareWriter(): Promise<unknown> {
  prepared ??= Promise.resolve().then(() => {
    const file = fs.readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
    const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
    return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  });
  return prepared;
}

/** The back of a yellow cédula with a true PDF417, 1500 px wide, as PNG. */
export async function renderCedulaBack(fields: CedulaFields): Promise<Buffer> {
  await prepareWriter();
  const { symbol, error } = await writeBarcode(new Uint8Array(cedulaPayload(fields)), {
    format: 'PDF417',
    options: 'columns=13',
    withQuietZones: false,
  });
  if (error) throw new Error(error);
  const modules = { width: symbol.width, height: symbol.height, channels: 1 } as const;
  const barcode = await sharp(Buffer.from(symbol.data), { raw: modules })
    .resize(1305, 400, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toBuffer();
  const small = { face: 'sans', size: 26 } as const;
  const text = [
    textPaths(`FECHA DE NACIMIENTO ${fields.birthDate}`, 520, 70, small),
    textPaths('LUGAR DE NACIMIENTO', 520, 130, small),
    textPaths(`${fields.blood ?? 'O+'}   ${fields.sex}`, 520, 190, { face: 'sans', size: 34 }),
    textPaths('REGISTRADOR NACIONAL', 900, 320, small),
    textPaths(`A-1500150-00123456-${fields.sex}-0000${fields.documentNumber}`, 520, 440, small),
  ];
  return sharp(Buffer.from(cardSvg('#f1ead0', text.join('') + fingerprint(250, 230))))
    .composite([{ input: barcode, left: 98, top: 490 }])
    .png()
    .toBuffer();
}

/** A blank card with its pattern of fine lines, and what is drawn on it. */
export function cardSvg(colour: string, drawn: string, width = CARD_WIDTH_PX, height = CARD_HEIGHT_PX): string {
  const waves = Array.from({ length: 40 }, (_, index) => {
    const y = (index * height) / 40;
    return `<path d="M0 ${y} q ${width / 4} 40 ${width / 2} 0 t ${width / 2} 0" fill="none" stroke="#b9b48f" stroke-opacity=".35"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/>${waves.join('')}${drawn}</svg>`;
}

function fingerprint(x: number, y: number): string {
  return Array.from(
    { length: 14 },
    (_, ring) =>
      `<ellipse cx="${x}" cy="${y}" rx="${8 + ring * 9}" ry="${10 + ring * 13}" fill="none" stroke="#555" stroke-width="4"/>`,
  ).join('');
}
