import { withEtag } from '../../api/apis.ts';
import { useRecord } from '../../member/queries.ts';

export const CIRCUITS = ['circuits'];

export const useCircuit = (id: string) =>
  useRecord([...CIRCUITS, id], ({ signing }) =>
    withEtag(signing.GET('/v1/circuits/{id}', { params: { path: { id } } })),
  );

/** The base PDF as it was uploaded; another upload has another hash. */
export const useBasePdf = (id: string, sha256: string) =>
  useRecord(
    ['base-pdf', id, sha256],
    ({ signing }) => signing.GET('/v1/circuits/{id}/base-pdf', { params: { path: { id } }, parseAs: 'blob' }),
    'once',
  );
