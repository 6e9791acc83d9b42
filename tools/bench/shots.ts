/**
 * How many pictures it takes until the server goes on from a document, with the guidance that the page has and the reader that the server has:
 * drawn documents before a camera, held as people do by the light of a room. Everything is seeded.
 *
 *   npm run bench -- shots
 *   node tools/run.mjs tools/bench/shots.ts [variants, default 40]
 */
import sharp from 'sharp';
import { LocalDocumentReader } from '@constancia/document-reading';
import { frameOf } from '../../apps/person-web/src/guidance/camera-frame.fixture.ts';
import { type DocumentAdvice, DocumentGuide } from '../../apps/person-web/src/guidance/document-guide.ts';
import { type Photography, photographed, seeded } from '../../libs/document-reading/src/rendered/photograph.fixture.ts';
import { drawnCedula, drawnMrzDocument } from '../../libs/document-reading/src/rendered/variants.fixture.ts';
import { type BenchRow, report } from './measure.ts';

const VARIANTS = Number(process.argv[2] ?? 40);
/** What a phone's camera gives, cut to the shape of the viewfinder (apps/person-web/src/camera/picture.ts). */
const PICTURE = { width: 1600, quality: 92 };
/** Attempts that a flow has by default. */
const ATTEMPTS = 3;
/** A person whom the page asks to hold the document otherwise does so, this often before the button is pressed. */
const MOVES = 6;

const reader = new LocalDocumentReader();
const plain = (card: Uint8Array): Promise<Buffer> => Promise.resolve(Buffer.from(card));

interface Capture {
  pictures: number;
  /** Pictures that the person took with the button, as the guidance never had it right. */
  pressed: number;
  accepted: boolean;
  passed: boolean;
  said: DocumentAdvice[];
}

/** How a person who follows the page's advice holds the document. */
function held(random: () => number, seed: number): Photography & { dim: number } {
  const between = (least: number, most: number) => least + (most - least) * random();
  const light = Math.floor(between(0, 3));
  return {
    fill: between(0.68, 0.92),
    skew: between(-10, 10),
    yaw: between(-14, 14),
    pitch: between(-14, 14),
    blur: between(0, 1.2),
    noise: between(0.5, 4),
    dim: between(0.65, 1.15),
    seed,
    ...PICTURE,
    ...(light === 1 && { shadow: { angle: between(0, 180), at: between(0.3, 0.7), strength: between(0.2, 0.45) } }),
    ...(light === 2 && { glare: { x: between(0.2, 0.8), y: between(0.2, 0.8), radius: 0.12, strength: between(0.2, 0.5) } }), // prettier-ignore
  };
}

/** One side before the camera until a picture is taken, by itself or, at last, with the button. */
async function picture(card: Uint8Array, random: () => number, seed: number, capture: Capture): Promise<Buffer> {
  for (let move = 0; ; move++) {
    const { dim, ...how } = held(random, seed * 100 + move);
    const photo = await sharp(await photographed(card, how)).linear(dim, 0).jpeg({ quality: PICTURE.quality }).toBuffer(); // prettier-ignore
    const guide = new DocumentGuide();
    const frame = await frameOf(sharp(photo), 640, 480);
    let advice: DocumentAdvice = 'search';
    for (let atMs = 0; atMs <= 1_000; atMs += 100) advice = guide.look(frame, atMs).advice;
    const taken = advice === 'take';
    if (!taken) capture.said.push(advice);
    if (!taken && move < MOVES) continue;
    capture.pictures += 1;
    if (!taken) capture.pressed += 1;
    return photo;
  }
}

async function captured(seed: number): Promise<Capture> {
  const { images, expected } = await (seed % 2 === 0 ? drawnCedula : drawnMrzDocument)(seed, plain);
  const random = seeded(7_000 + seed);
  const capture: Capture = { pictures: 0, pressed: 0, accepted: false, passed: false, said: [] };
  for (let attempt = 0; attempt < ATTEMPTS && !capture.accepted; attempt++) {
    const front = await picture(images.front as Uint8Array, random, seed * 10 + attempt, capture);
    const back = images.back && (await picture(images.back, random, seed * 10 + attempt + 5, capture));
    const { outcome, reasons } = await reader.read({ front, ...(back && { back }), expected }, { deadlineMs: 60_000 });
    capture.accepted = outcome === 'pass' || outcome === 'review';
    capture.passed = outcome === 'pass';
    if (!capture.accepted) console.log(`${seed}: ${outcome} ${reasons.join(' ')}`);
  }
  return capture;
}

const all: Capture[] = [];
for (let seed = 0; seed < VARIANTS; seed++) {
  all.push(await captured(seed));
  if ((seed + 1) % 10 === 0) console.log(`${seed + 1} of ${VARIANTS}`);
}

const rate = (fits: (capture: Capture) => boolean): string => {
  const count = all.filter(fits).length;
  return `${count} of ${VARIANTS} (${((100 * count) / VARIANTS).toFixed(1)} %)`;
};
const asked = all.flatMap(({ said }) => said);
const advice = [...new Set(asked)].map((each) => `${each} ${asked.filter((one) => one === each).length}`).join(', ');
const row = (name: string, ours: string, goal = '–'): BenchRow => ({ name, ours, other: '–', ratio: null, goal });
report([
  row('From the link to "document accepted" in at most 3 pictures, both sides together', rate(({ accepted, pictures }) => accepted && pictures <= 3), '≥ 95 %'), // prettier-ignore
  row(
    '… of which nothing was left for a person to look at',
    rate(({ passed, pictures }) => passed && pictures <= 3),
  ),
  row(
    'Accepted within the three attempts that a flow has',
    rate(({ accepted }) => accepted),
  ),
  row(
    'Every picture was taken by itself',
    rate(({ pressed }) => pressed === 0),
  ),
  row('What the page asked for before a picture was taken, in all', advice === '' ? 'nothing' : advice),
]);
