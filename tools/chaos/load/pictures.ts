import type { TestStack } from '@constancia/testing';
import { firstPair, hasFaces } from '../../../libs/face-matching/src/shared-faces.fixture.ts';
import { type Cedula, cedulaOf, type Holder, uploadPicture } from '../../e2e/identity.fixture.ts';
import type { Pictures } from './checking.ts';

const HOLDER: Holder = { documentNumber: '1094726153', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore

let drawn: Promise<Cedula> | undefined;

/** A drawn cédula and a photo of the same person, uploaded for each session; undefined where the photos are not. */
export function realPictures(stack: TestStack): { documentNumber: string; pictures: Pictures } | undefined {
  if (!hasFaces) return undefined;
  const [portrait, selfie] = firstPair({ same: true });
  return {
    documentNumber: HOLDER.documentNumber,
    async pictures(session) {
      const { front, back } = await (drawn ??= cedulaOf(HOLDER, portrait));
      const upload = (kind: 'doc_front' | 'doc_back' | 'selfie', picture: Buffer) =>
        uploadPicture(stack, session, kind, picture);
      return {
        document_upload: {
          doc_front_uri: await upload('doc_front', front),
          doc_back_uri: await upload('doc_back', back),
        },
        face_match: { selfie_uri: await upload('selfie', selfie), liveness_mode: 'basic' },
      };
    },
  };
}
