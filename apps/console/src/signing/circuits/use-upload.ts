import { rawBody } from '../../api/raw-body.ts';
import type { CircuitRow } from './circuit-fields.ts';
import { useCall } from '../../member/queries.ts';
import { CIRCUITS } from './use-circuit.ts';

/** Gives a draft its PDF, or another one. */
export function useUpload(): (id: string, pdf: File) => Promise<CircuitRow> {
  const call = useCall();
  return (id, pdf) =>
    call(
      ({ signing }) =>
        signing.POST('/v1/circuits/{id}/base-pdf', {
          params: { path: { id } },
          ...rawBody(pdf, 'application/pdf'),
        }),
      CIRCUITS,
    );
}
