import { Deadline } from '@constancia/kernel';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openEngines, openEyes } from './open-engines.fixture.ts';
import { hasFaces, photo } from './shared-faces.fixture.ts';

if (!hasFaces) console.log('skipped: ../shared/faces is not here');

/** The front of a card with this portrait. */
const cardOf = async (file: string): Promise<Buffer> => {
  const portrait = await sharp(photo(file)).resize(293, 396, { fit: 'contain', background: '#d8dce2' }).toBuffer();
  const card = sharp({ create: { width: 1100, height: 694, channels: 3, background: '#ece9dc' } });
  return card
    .composite([{ input: portrait, left: 740, top: 132 }])
    .jpeg({ quality: 85 })
    .toBuffer();
};
const upsideDown = (card: Buffer) => sharp(card).rotate(180).jpeg({ quality: 90 }).toBuffer();

describe.skipIf(!hasFaces)('the portrait of a document', { timeout: 240_000 }, () => {
  it('is compared when the document was held upside down', async () => {
    const { faces } = await openEngines();
    const card = await upsideDown(await cardOf('img20.jpg'));
    const options = { deadlineMs: 600_000 };
    const same = await faces.compare(card, photo('img21.jpg'), options);
    expect(same).toMatchObject({ outcome: 'pass' });
    expect(await faces.compare(card, photo('img16.jpg'), options)).toMatchObject({ outcome: 'reject' });
  });

  it('is found where it is printed, whichever way up the picture is', async () => {
    const eyes = await openEyes();
    // Seen on its head as well: more surely than upright, nearly as surely, hardly; and a face in profile.
    for (const file of ['img20.jpg', 'img8.jpg', 'img57.jpg', 'img59.jpg']) {
      const card = await cardOf(file);
      const { width, height } = await sharp(card).metadata();
      const boxOf = async (picture: Buffer) => (await eyes.look(picture, 'document', new Deadline(600_000))).face!.box;
      const upright = await boxOf(card);
      const inverted = await boxOf(await upsideDown(card));
      expect(Math.abs(width - inverted.x - inverted.width - upright.x), file).toBeLessThan(12);
      expect(Math.abs(height - inverted.y - inverted.height - upright.y), file).toBeLessThan(12);
    }
  });
});
