import sharp from 'sharp';
import { checkDigit } from '../mrz/check-digits.ts';
import { CARD_HEIGHT_PX, CARD_WIDTH_PX, cardSvg } from './cedula-card.fixture.ts';
import { textPaths, textWidth } from './outlines.fixture.ts';
import type { Face } from './outlines.fixture.ts';

/** What an MRZ says. Invented people only. Dates `YYYY-MM-DD`; countries in ICAO's three letters. */
export interface MrzFields {
  /** `IC`, `I`, `P`… */
  code: string;
  issuer: string;
  documentNumber: string;
  surnames: string;
  givenNames: string;
  birthDate: string;
  expiryDate: string;
  sex: 'M' | 'F' | '<';
  nationality: string;
  /** TD1: optional data of line two (the digital cédula's NUIP). TD3: personal number. */
  optional?: string;
  /** TD1: optional data of line one (the digital cédula's place code). */
  optional1?: string;
}

/** A name in the MRZ's alphabet: N for Ñ as in Colombia, no accents. */
const mrzName = (name: string): string =>
  name.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[^A-Z ]/g, '').replace(/ +/g, '<'); // prettier-ignore

const padded = (text: string, columns: number): string => text.slice(0, columns).padEnd(columns, '<');
const digits = (day: string): string => day.replaceAll('-', '').slice(2);
const checked = (text: string): string => `${text}${checkDigit(text)}`;

/** The three lines of a card (ICAO 9303-5), all check digits right. */
export function td1Lines(fields: MrzFields): string[] {
  const first = `${padded(fields.code, 2)}${fields.issuer}${checked(padded(fields.documentNumber, 9))}${padded(fields.optional1 ?? '', 15)}`;
  const dates = `${checked(digits(fields.birthDate))}${fields.sex}${checked(digits(fields.expiryDate))}`;
  const optional = padded(fields.optional ?? '', 11);
  const composite = checkDigit(first.slice(5) + dates.slice(0, 7) + dates.slice(8, 15) + optional);
  const names = padded(`${mrzName(fields.surnames)}<<${mrzName(fields.givenNames)}`, 30);
  return [first, `${dates}${padded(fields.nationality, 3)}${optional}${composite}`, names];
}

/** The two lines of a passport (ICAO 9303-4), all check digits right. */
export function td3Lines(fields: MrzFields): string[] {
  const names = padded(`${mrzName(fields.surnames)}<<${mrzName(fields.givenNames)}`, 39);
  const number = checked(padded(fields.documentNumber, 9));
  const dates = [checked(digits(fields.birthDate)), checked(digits(fields.expiryDate))] as const;
  const optional = checked(padded(fields.optional ?? '', 14));
  const composite = checkDigit(number + dates[0] + dates[1] + optional);
  const second = `${number}${padded(fields.nationality, 3)}${dates[0]}${fields.sex}${dates[1]}${optional}${composite}`;
  return [`${padded(fields.code, 2)}${padded(fields.issuer, 3)}${names}`, second];
}

/** A caption and the value under it, as documents print them for people. */
export interface Printed {
  caption: string;
  value: string;
}

export interface CardLook {
  /** The face of values; default sans. */
  face?: Face;
  /** Pixels by which the MRZ's strokes are thickened. */
  weight?: number;
  ink?: string;
  /** A photo (encoded) for the portrait of a front; without one a silhouette is drawn. */
  portrait?: Uint8Array;
}

const PX_PER_MM = CARD_WIDTH_PX / 85.6;
const PAGE_PX_PER_MM = 14;

function mrzPaths(lines: readonly string[], x: number, firstBaseline: number, pxPerMm: number, look: CardLook): string {
  const pitch = 2.54 * pxPerMm;
  const size = (pitch * 100) / textWidth('A', { face: 'ocrB', size: 100 });
  const style = { face: 'ocrB', size, pitch, weight: look.weight ?? 0, fill: look.ink ?? '#151515' } as const;
  return lines.map((line, row) => textPaths(line, x, firstBaseline + row * 6.35 * pxPerMm, style)).join('');
}

/** The back of a card with three lines of MRZ (digital cédula, CE, PPT), 1500 px wide, as PNG. */
export function renderTd1Back(lines: readonly string[], look: CardLook = {}): Promise<Buffer> {
  const left = (85.6 - 30 * 2.54) / 2;
  const drawn = [
    textPaths('REGISTRADURIA NACIONAL DEL ESTADO CIVIL', 90, 90, { face: 'sans', size: 30 }),
    textPaths('LUGAR DE NACIMIENTO', 90, 200, { face: 'sansCondensed', size: 26 }),
    textPaths('BOGOTA D.C. (CUNDINAMARCA)', 90, 245, { face: 'sansBold', size: 34 }),
    `<rect x="1080" y="120" width="300" height="300" fill="#e8e8f0" stroke="#333"/>`,
    mrzPaths(lines, left * PX_PER_MM, (53.98 - 4 - 2 * 6.35) * PX_PER_MM, PX_PER_MM, look),
  ];
  return sharp(Buffer.from(cardSvg('#e4ecef', drawn.join(''))))
    .png()
    .toBuffer();
}

/** A passport's data page: what is printed for people, a portrait's frame, two lines of MRZ; 1750 px wide, as PNG. */
export function renderPassportPage(
  lines: readonly string[],
  printed: readonly Printed[],
  look: CardLook = {},
): Promise<Buffer> {
  const [width, height] = [125 * PAGE_PX_PER_MM, 88 * PAGE_PX_PER_MM];
  const left = (125 - 44 * 2.54) / 2;
  const drawn = [
    textPaths('REPUBLICA DE COLOMBIA   PASAPORTE / PASSPORT', 520, 90, { face: 'sans', size: 34 }),
    portrait(80, 150, 400, 540),
    captions(printed, 540, 170, look),
    mrzPaths(lines, left * PAGE_PX_PER_MM, (88 - 6 - 6.35) * PAGE_PX_PER_MM, PAGE_PX_PER_MM, look),
  ];
  return sharp(Buffer.from(cardSvg('#efe6e2', drawn.join(''), width, height)))
    .png()
    .toBuffer();
}

/** The front of a card: a portrait's frame and what is printed for people, 1500 px wide, as PNG. */
export async function renderFront(printed: readonly Printed[], look: CardLook = {}): Promise<Buffer> {
  const frame = { left: 1010, top: 180, width: 400, height: 540 };
  const drawn = [
    textPaths('REPUBLICA DE COLOMBIA', 90, 80, { face: 'sansBold', size: 40 }),
    textPaths('IDENTIFICACION PERSONAL', 90, 130, { face: 'sans', size: 30 }),
    portrait(frame.left, frame.top, frame.width, frame.height),
    captions(printed, 90, 210, look),
  ];
  const card = sharp(Buffer.from(cardSvg('#ece9dc', drawn.join(''), CARD_WIDTH_PX, CARD_HEIGHT_PX)));
  if (!look.portrait) return card.png().toBuffer();
  const { left, top, width, height } = frame;
  const photo = await sharp(look.portrait).resize(width, height, { fit: 'contain', background: '#d8dce2' }).toBuffer();
  return card
    .composite([{ input: photo, left, top }])
    .png()
    .toBuffer();
}

function captions(printed: readonly Printed[], x: number, y: number, look: CardLook): string {
  const face = look.face ?? 'sans';
  return printed
    .map(({ caption, value }, index) => {
      const top = y + index * 120;
      return (
        textPaths(caption, x, top, { face: 'sansCondensed', size: 24, fill: '#444' }) +
        textPaths(value, x, top + 52, { face, size: 46, fill: look.ink ?? '#151515' })
      );
    })
    .join('');
}

const portrait = (x: number, y: number, width: number, height: number): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#d8dce2"/>` +
  `<ellipse cx="${x + width / 2}" cy="${y + height * 0.42}" rx="${width * 0.26}" ry="${height * 0.26}" fill="#b98d6d"/>` +
  `<ellipse cx="${x + width / 2}" cy="${y + height}" rx="${width * 0.46}" ry="${height * 0.28}" fill="#46536b"/>`;
