import type { DocumentImages, ExpectedDocument, FieldName } from '../document-reader.ts';
import { renderCedulaBack } from './cedula-card.fixture.ts';
import { renderFront, renderPassportPage, renderTd1Back, td1Lines, td3Lines } from './mrz-card.fixture.ts';
import type { MrzFields, Printed } from './mrz-card.fixture.ts';
import { photographed, seeded } from './photograph.fixture.ts';
import type { Photography } from './photograph.fixture.ts';

/** A drawn and photographed document, and what a reader has to say about it. */
export interface DrawnDocument {
  images: Pick<DocumentImages, 'front' | 'back'>;
  /** The picture that carries barcode or MRZ. */
  machine: Uint8Array;
  expected: ExpectedDocument;
  truth: Partial<Record<FieldName, string>>;
  /** The whole name: long ones are cut off in an MRZ, and then must not be trusted. */
  fullName: { surnames: string; givenNames: string };
  /** The face that names are printed in. The last two were not seen by the network that reads print. */
  face: (typeof PRINT_FACES)[number];
}

export const PRINT_FACES = ['sans', 'sansBold', 'sansCondensed', 'sansCondensedBold', 'serif'] as const;

// prettier-ignore
const SURNAMES = ['MARTÍNEZ', 'OSPINA', 'QUIÑONES', 'VILLAMIZAR', 'DUQUE', 'ZULETA', 'HERRERA', 'WILCHES', 'IBÁÑEZ', 'JIMÉNEZ', 'OQUENDO', 'XIMENES', 'KLINGER', 'PEÑALOZA', 'GÜIZA', 'BOHÓRQUEZ', 'LLINÁS', 'FAJARDO', 'YEPES', 'NUÑEZ'];
// prettier-ignore
const GIVEN_NAMES = ['LAURA', 'SOFÍA', 'JOSÉ', 'WILLIAM', 'HUGO', 'YULIANA', 'ÓSCAR', 'IVÁN', 'GLORIA', 'DIEGO', 'BEATRIZ', 'FELISA', 'KEVIN', 'XIOMARA', 'ZORAIDA', 'JAVIER', 'MARÍA', 'PAULA', 'QUINTILIANO', 'NOHEMÍ'];

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const whole = (random: Random, least: number, most: number): number => Math.floor(between(random, least, most + 1));
const two = (value: number): string => String(value).padStart(2, '0');

/** Skew to 18°, perspective to 20° about both axes, blur to 2, JPEG q20 to q90, four orientations. */
function badPhotography(random: Random, seed: number): Photography {
  return {
    skew: between(random, -18, 18),
    yaw: between(random, -20, 20),
    pitch: between(random, -20, 20),
    blur: between(random, 0, 2),
    quality: whole(random, 20, 90),
    orientation: seed % 4,
    noise: between(random, 0, 3),
    seed,
  };
}

function badLight(random: Random): Pick<Photography, 'glare' | 'shadow'> {
  const glare = { x: between(random, 0.2, 0.8), y: between(random, 0.2, 0.8), radius: between(random, 0.08, 0.25), strength: between(random, 0.3, 0.75) }; // prettier-ignore
  const shadow = { angle: between(random, 0, 180), at: between(random, 0.3, 0.7), strength: between(random, 0.3, 0.6) };
  return [{}, { glare }, { shadow }, { glare, shadow }][whole(random, 0, 3)] as Pick<Photography, 'glare' | 'shadow'>;
}

/** A front is photographed better than the other side is: no worse than 10°, blur 1.2, q50. */
function fairPhotography(random: Random, seed: number): Photography {
  return { skew: between(random, -10, 10), yaw: between(random, -10, 10), pitch: between(random, -10, 10), blur: between(random, 0, 1.2), quality: whole(random, 50, 90), seed }; // prettier-ignore
}

const namesPrinted = (surnames: string, givenNames: string): Printed[] => [
  { caption: 'APELLIDOS', value: surnames },
  { caption: 'NOMBRES', value: givenNames },
];

/** Takes the picture of a card; a test that takes its own pictures hands the card back. */
type Take = (card: Uint8Array, how: Photography) => Promise<Buffer>;

/** A yellow cédula (one in ten a tarjeta de identidad, one in five without the marker), number `seed` of its kind. */
export async function drawnCedula(seed: number, take: Take = photographed): Promise<DrawnDocument> {
  const random = seeded(41_000 + seed);
  const minor = seed % 10 === 9;
  const [surname1, surname2] = [pick(random, SURNAMES), random() < 0.8 ? pick(random, SURNAMES) : ''];
  const [givenName1, givenName2] = [pick(random, GIVEN_NAMES), random() < 0.6 ? pick(random, GIVEN_NAMES) : ''];
  const documentNumber =
    random() < 0.6
      ? String(1_000_000_000 + whole(random, 0, 199_999_999))
      : String(whole(random, 1_000_000, 99_999_999));
  const number = minor ? String(1_000_000_000 + whole(random, 0, 199_999_999)) : documentNumber;
  const birthDate = `${minor ? whole(random, 2009, 2016) : whole(random, 1940, 2005)}-${two(whole(random, 1, 12))}-${two(whole(random, 1, 28))}`;
  const sex = pick(random, ['M', 'F'] as const);
  const blood = pick(random, ['O+', 'O-', 'A+', 'B-', 'AB+', 'AB-']);
  const card = await renderCedulaBack({ documentNumber: number, surname1, surname2, givenName1, givenName2, sex, birthDate, blood, minor, unmarked: seed % 5 === 4 }); // prettier-ignore
  const back = await take(card, badPhotography(random, seed));
  const [surnames, givenNames] = [`${surname1} ${surname2}`.trim(), `${givenName1} ${givenName2}`.trim()];
  const face = PRINT_FACES[seed % PRINT_FACES.length] as DrawnDocument['face'];
  const front = await take(
    await renderFront(namesPrinted(surnames, givenNames), { face }),
    fairPhotography(random, seed),
  );
  return {
    images: { front, back },
    machine: back,
    expected: { documentType: minor ? 'TI' : 'CC', documentNumber: number, country: 'CO' },
    truth: {
      document_number: number,
      surnames,
      given_names: givenNames,
      birth_date: birthDate,
      sex,
      issuing_country: 'CO',
    },
    fullName: { surnames, givenNames },
    face,
  };
}

interface MrzKind {
  type: 'CC' | 'PA' | 'CE' | 'PPT';
  code: string;
  nationality: [icao: string, iso: string];
  number: (random: Random) => string;
  /** The NUIP stands in the optional data. */
  nuip: boolean;
  /** What the digital cédula has after its serial. */
  place: boolean;
}

const foreigners = (random: Random): string => String(whole(random, 100_000, 9_999_999));
const CO: MrzKind['nationality'] = ['COL', 'CO'];
const VE: MrzKind['nationality'] = ['VEN', 'VE'];
const DIGITAL: MrzKind = { type: 'CC', code: 'IC', nationality: CO, number: (random) => String(whole(random, 100_000_000, 999_999_999)), nuip: true, place: true }; // prettier-ignore
const PASSPORT: MrzKind = { type: 'PA', code: 'P', nationality: CO, number: (random) => `A${pick(random, [...'OQSTUVXZ'])}${whole(random, 100_000, 999_999)}`, nuip: true, place: false }; // prettier-ignore
const CE: MrzKind = { type: 'CE', code: 'I', nationality: VE, number: foreigners, nuip: false, place: false };
const KINDS: MrzKind[] = [DIGITAL, PASSPORT, CE, PASSPORT, DIGITAL, PASSPORT, { ...CE, type: 'PPT' }, PASSPORT];

function mrzFields(kind: MrzKind, nuip: string, surnames: string, givenNames: string, random: Random): MrzFields {
  return {
    code: kind.code,
    issuer: 'COL',
    documentNumber: kind.number(random),
    surnames,
    givenNames,
    birthDate: `${whole(random, 1940, 2005)}-${two(whole(random, 1, 12))}-${two(whole(random, 1, 28))}`,
    expiryDate: `${whole(random, 2027, 2035)}-${two(whole(random, 1, 12))}-${two(whole(random, 1, 28))}`,
    sex: pick(random, ['M', 'F'] as const),
    nationality: kind.nationality[0],
    optional: kind.nuip ? nuip : '',
    optional1: kind.place ? two(whole(random, 1, 97)) + String(whole(random, 100, 999)) : '',
  };
}

/** By turns a digital cédula (TD1), a passport (TD3), a CE and a PPT (TD1), number `seed` of its kind. */
export async function drawnMrzDocument(seed: number, take: Take = photographed): Promise<DrawnDocument> {
  const random = seeded(97_000 + seed);
  const kind = KINDS[seed % KINDS.length] as MrzKind;
  const surnames = [pick(random, SURNAMES), pick(random, SURNAMES)].slice(0, whole(random, 1, 2)).join(' ');
  const givenNames = [pick(random, GIVEN_NAMES), pick(random, GIVEN_NAMES)].slice(0, whole(random, 1, 2)).join(' ');
  const nuip = String(1_000_000_000 + whole(random, 0, 199_999_999));
  const fields = mrzFields(kind, nuip, surnames, givenNames, random);
  const passport = kind === PASSPORT;
  const face = PRINT_FACES[seed % PRINT_FACES.length] as DrawnDocument['face'];
  const look = { face, weight: between(random, 0, 2.5) };
  const printed = namesPrinted(surnames, givenNames);
  const lines = passport ? td3Lines(fields) : td1Lines(fields);
  const page = passport ? await renderPassportPage(lines, printed, look) : await renderTd1Back(lines, look);
  const machine = await take(page, { ...badPhotography(random, seed), ...badLight(random) });
  const front = passport ? machine : await take(await renderFront(printed, look), fairPhotography(random, seed));
  const documentNumber = kind === DIGITAL ? nuip : fields.documentNumber;
  return {
    images: passport ? { front } : { front, back: machine },
    machine,
    expected: { documentType: kind.type, documentNumber, country: 'CO' },
    truth: {
      document_number: documentNumber,
      ...writtenNames(passport ? (lines[0] as string).slice(5) : (lines[2] as string)),
      birth_date: fields.birthDate,
      expiry_date: fields.expiryDate,
      sex: fields.sex,
      nationality: kind.nationality[1],
      issuing_country: 'CO',
    },
    fullName: { surnames, givenNames },
    face,
  };
}

/** Names as they got into the line: long ones are cut off. */
function writtenNames(line: string): { surnames: string; given_names: string } {
  const [surnames = '', givenNames = ''] = line.replace(/<+$/, '').split('<<');
  return { surnames: surnames.replaceAll('<', ' '), given_names: givenNames.replaceAll('<', ' ') };
}
