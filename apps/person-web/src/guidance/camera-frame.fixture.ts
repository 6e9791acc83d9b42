/// <reference types="node" />
import sharp, { type Sharp } from 'sharp';
import {
  type Photography,
  photographed,
  renderCedulaBack,
  renderFront,
  renderTd1Back,
  td1Lines,
} from '../../../../libs/document-reading/src/rendered.fixture.ts';
import type { GreyFrame } from './grey-frame.ts';

/** Invented. */
const PERSON = { documentNumber: '1020304050', surname1: 'MUÑOZ', givenName1: 'ANA', sex: 'F', birthDate: '1990-01-02' } as const; // prettier-ignore
const ZONE = td1Lines({ code: 'IC', issuer: 'COL', documentNumber: '123456789', surnames: 'MUÑOZ', givenNames: 'ANA', birthDate: '1990-01-02', expiryDate: '2031-01-02', sex: 'F', nationality: 'COL', optional: '1020304050' }); // prettier-ignore

/** The front and back of a yellow cédula, and the back of a digital one. */
export async function drawnCards(): Promise<Buffer[]> {
  const printed = [
    { caption: 'NUMERO', value: '1.020.304.050' },
    { caption: 'APELLIDOS', value: 'MUÑOZ' },
    { caption: 'NOMBRES', value: 'ANA' },
  ];
  return Promise.all([renderFront(printed), renderCedulaBack(PERSON), renderTd1Back(ZONE)]);
}

const CAMERA_WIDTH = 960;

/** What the camera shows of a card, as the page looks at it. `dim`: how much of the light is left. Blur in pixels of 960. */
export async function cameraFrame(card: Buffer, how: Photography & { dim?: number }): Promise<GreyFrame> {
  const photo = sharp(await photographed(card, { width: CAMERA_WIDTH, noise: 1.5, ...how }));
  return frameOf(photo.linear(how.dim ?? 1, 0), 640, 480);
}

/** Any picture as a frame of this size. */
export async function frameOf(picture: Sharp, width: number, height: number): Promise<GreyFrame> {
  const { data, info } = await picture
    .resize(width, height, { fit: 'cover' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}
