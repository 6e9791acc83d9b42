/// <reference types="node" />
import fs from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedPath } from '@constancia/testing/shared-folder';
import type { Photography } from '../../../../libs/document-reading/src/rendered.fixture.ts';
import { cameraFrame, drawnCards, frameOf } from './camera-frame.fixture.ts';
import { type DocumentAdvice, DocumentGuide } from './document-guide.ts';
import type { GreyFrame } from './grey-frame.ts';
import { outlineOf } from './outline.ts';

type Shot = Photography & { dim?: number };
let cards: Buffer[];
beforeAll(async () => {
  cards = await drawnCards();
});

/** What is said about a card that lies still for a second. */
function adviceAfterASecond(frame: GreyFrame): DocumentAdvice {
  const guide = new DocumentGuide();
  let advice: DocumentAdvice = 'search';
  for (let atMs = 0; atMs <= 1000; atMs += 100) advice = guide.look(frame, atMs).advice;
  return advice;
}

/** Of the three cards. */
const advices = (shot: Shot): Promise<DocumentAdvice[]> =>
  Promise.all(cards.map(async (card) => adviceAfterASecond(await cameraFrame(card, shot))));

/** Good pictures: what somebody holds into the frame by the light of a room. */
const GOOD: Record<string, Shot> = {
  straight: {},
  'slightly soft': { blur: 0.8 },
  noisy: { noise: 4 },
  small: { fill: 0.68 },
  large: { fill: 0.94 },
  'turned to the left': { skew: -11 },
  'turned to the right': { skew: 9 },
  'leaning sideways': { yaw: 17 },
  'leaning back': { pitch: -17 },
  'turned and leaning': { skew: 7, yaw: -12, pitch: 10 },
  'half in shadow': { shadow: { angle: 40, at: 0.5, strength: 0.45 } },
  'with a faint reflection': { glare: { x: 0.6, y: 0.4, radius: 0.15, strength: 0.5 } },
  'in dim light': { dim: 0.6 },
  'of white paper in bright light': { dim: 1.2 },
  'compressed hard': { quality: 45 },
};

/** Bad ones, and what should be said about them. */
const BAD: [name: string, shot: Shot, said: DocumentAdvice[]][] = [
  ['blurred', { blur: 2.6 }, ['blurred']],
  ['very blurred', { blur: 5 }, ['blurred']],
  ['blurred and turned', { blur: 3, skew: 8 }, ['blurred']],
  ['dark', { dim: 0.22 }, ['dark', 'search']],
  ['nearly black', { dim: 0.06 }, ['dark']],
  ['with a reflection', { glare: { x: 0.4, y: 0.5, radius: 0.22, strength: 1 } }, ['glare']],
  ['far away', { fill: 0.4 }, ['far']],
  ['very far away', { fill: 0.28 }, ['far', 'search']],
  ['turned too far', { skew: 24 }, ['tilted', 'search']],
  ['leaning too far', { yaw: 42 }, ['tilted', 'search']],
  ['upright', { orientation: 1 }, ['search']],
];

describe('the guidance for documents', () => {
  it('takes a picture of what is good, and says what is wrong with what is not', { timeout: 60_000 }, async () => {
    const rejected: string[] = [];
    for (const [name, shot] of Object.entries(GOOD)) {
      const said = await advices(shot);
      rejected.push(...said.filter((advice) => advice !== 'take').map((advice) => `${name}: ${advice}`));
    }
    const accepted: string[] = [];
    const misnamed: string[] = [];
    for (const [name, shot, expected] of BAD) {
      for (const advice of await advices(shot)) {
        if (advice === 'take') accepted.push(name);
        else if (!expected.includes(advice)) misnamed.push(`${name}: ${advice}`);
      }
    }
    const [good, bad] = [Object.keys(GOOD).length * cards.length, BAD.length * cards.length];
    console.info(
      `Documents: of ${good} good pictures ${rejected.length} not taken; of ${bad} bad ones ${accepted.length} taken, ${misnamed.length} called something else.`,
    );
    expect({ rejected, accepted, misnamed }).toEqual({ rejected: [], accepted: [], misnamed: [] });
  });

  it('finds the corners of a card to a hundredth of the frame', async () => {
    const quad = outlineOf(await frameAt(320, await cameraFrame(cards[0] as Buffer, { fill: 0.8 })));
    const corners = quad?.map(({ x, y }) => [x / 320, y / 240]) ?? [];
    const height = (0.8 * 946) / 1500;
    const [top, bottom] = [0.5 - (height * 4) / 6, 0.5 + (height * 4) / 6];
    const drawn = [[0.1, top], [0.9, top], [0.9, bottom], [0.1, bottom]]; // prettier-ignore
    expect(corners).toHaveLength(4);
    corners.forEach(([x = 0, y = 0], nth) => {
      expect(Math.abs(x - (drawn[nth]?.[0] ?? 0))).toBeLessThan(0.01);
      expect(Math.abs(y - (drawn[nth]?.[1] ?? 0))).toBeLessThan(0.01);
    });
  });

  it('waits until a card that moves is held still, and begins again when it moves', async () => {
    const card = cards[0] as Buffer;
    const [here, there] = await Promise.all([cameraFrame(card, { fill: 0.74 }), cameraFrame(card, { fill: 0.84 })]);
    const guide = new DocumentGuide();
    const said = [here, there, here, here, here, there, there, there, there, there, there, there, there].map(
      (frame, nth) => guide.look(frame, nth * 150).advice,
    );
    expect(said.slice(0, 3)).toEqual(['moving', 'moving', 'moving']);
    expect(said.slice(3, 5)).toEqual(['hold', 'hold']);
    expect(said[5]).toBe('moving');
    expect(said.at(-1)).toBe('take');
    expect(said.indexOf('take')).toBeGreaterThanOrEqual(10);
  });

  it('counts by time as well as by frames: four frames at once are not held still', async () => {
    const frame = await cameraFrame(cards[0] as Buffer, {});
    const guide = new DocumentGuide();
    expect([0, 20, 40, 60, 80, 100].map((atMs) => guide.look(frame, atMs).advice)).not.toContain('take');
  });

  it.each([
    ['an empty table', (x: number, y: number) => 92 + 10 * Math.sin(x / 17) + 8 * Math.sin(y / 11)],
    ['stripes', (x: number) => (x % 40 < 20 ? 210 : 60)],
    ['an upright sheet of paper', (x: number, y: number) => (x > 200 && x < 440 && y > 70 && y < 410 ? 235 : 80)],
    ['a square', (x: number, y: number) => (x > 170 && x < 470 && y > 90 && y < 390 ? 230 : 80)],
    ['one straight edge', (x: number) => (x > 300 ? 230 : 70)],
  ])('takes no picture of %s', (_, grey) => {
    const data = Uint8Array.from({ length: 640 * 480 }, (__, at) => Math.round(grey(at % 640, Math.floor(at / 640))));
    expect(adviceAfterASecond({ width: 640, height: 480, data })).toBe('search');
  });

  it.skipIf(sharedPath('faces') === undefined)('takes no picture of people', async () => {
    const folder = sharedPath('faces') as string;
    const photos = fs.readdirSync(folder).filter((name) => /[05]\.jpg$/.test(name));
    const taken: string[] = [];
    for (const photo of photos)
      if (adviceAfterASecond(await frameOf(sharp(`${folder}/${photo}`), 640, 480)) === 'take') taken.push(photo);
    console.info(`Documents: of ${photos.length} photos of people ${taken.length} taken for one.`);
    expect(taken).toEqual([]);
  });
});

function frameAt(width: number, { data, ...from }: GreyFrame): Promise<GreyFrame> {
  const raw = { width: from.width, height: from.height, channels: 1 } as const;
  return frameOf(sharp(data, { raw }), width, (width * from.height) / from.width);
}
