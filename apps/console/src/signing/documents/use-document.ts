import type { components } from '@constancia/sdk/generated/signing';
import { useRecord } from '../../member/queries.ts';

export type DocumentRow = components['schemas']['SignatureView'];

/** Documents that are sealed from a template, without signers. The API calls them signatures. */
export const DOCUMENTS = ['documents'];
/** While it is sealed it is asked for again, at most so often. */
const WATCH = { everyMs: 2_000, times: 60 };

export const useDocument = (id: string) =>
  useRecord([...DOCUMENTS, id], ({ signing }) => signing.GET('/v1/signatures/{id}', { params: { path: { id } } }), {
    ...WATCH,
    while: ({ status }) => status === 'pending',
  });
