import type { components } from '@constancia/sdk/generated/signing';
import { useQueryClient } from '@tanstack/react-query';
import type { Apis } from '../../api/apis.ts';
import { type Call, useCall, useRecord } from '../../member/queries.ts';

export type EnvelopeRow = components['schemas']['EnvelopeView'];
export type EnvelopeSigner = components['schemas']['EnvelopeSignerView'];
export type TrailEvent = components['schemas']['TrailEventView'];

export const ENVELOPES = ['envelopes'];
/** Until it has ended it is asked for again, at most so often (15 minutes), while the page is visible. */
const WATCH = { everyMs: 5_000, times: 180 };

export const useEnvelope = (id: string) =>
  useRecord([...ENVELOPES, id], ({ signing }) => signing.GET('/v1/envelopes/{id}', { params: { path: { id } } }), {
    ...WATCH,
    while: (envelope) => isOpen(envelope) || envelope.status === 'sealing',
  });

/** Changes an envelope. Whatever comes of it, it is read again: a refusal means that it is not what the page shows. */
export function useEnvelopeCall(): <Answer>(change: (signing: Apis['signing']) => Call<Answer>) => Promise<Answer> {
  const call = useCall();
  const queries = useQueryClient();
  return async (change) => {
    try {
      return await call(({ signing }) => change(signing));
    } finally {
      await queries.invalidateQueries({ queryKey: ENVELOPES });
    }
  };
}

/** Whether signers can still act. */
export const isOpen = ({ status }: Pick<EnvelopeRow, 'status'>): boolean =>
  status === 'sent' || status === 'in_progress';

/** Whether it is the turn of a signer, and their link works. */
export const canRemind = ({ status, not_me_at }: EnvelopeSigner): boolean =>
  not_me_at === null && ['pending', 'viewed', 'consented', 'authenticated'].includes(status);

/** Whether a signer can get another link. */
export const canRotate = ({ status }: EnvelopeSigner): boolean => status !== 'signed' && status !== 'declined';
