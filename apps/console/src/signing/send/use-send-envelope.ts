import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { type EnvelopeBody, envelopeKey } from './envelope-key.ts';

export interface SentEnvelope {
  /** null: the same was sent before, with other access codes. */
  id: string | null;
  /** The same was sent in the last 24 hours: nothing was sent or charged now. */
  before: boolean;
}

/** Sends an envelope, once for the same content; `copy`: how often it is sent again on purpose. @throws ApiError, Unreachable */
export function useSendEnvelope(): (body: EnvelopeBody, copy: number) => Promise<SentEnvelope> {
  const call = useCall();
  return async (body, copy) => {
    const params = { header: { 'Idempotency-Key': await envelopeKey(body, copy) } };
    let before = false;
    try {
      const { id } = await call(async ({ signing }) => {
        const called = await signing.POST('/v1/envelopes', { params, body });
        before = called.response.headers.get('Idempotent-Replayed') === 'true';
        return called;
      });
      return { id, before };
    } catch (error) {
      if (isKeyReused(error, body)) return { id: null, before: true };
      throw error;
    }
  };
}

/** The key leaves out access codes and numbers alone: only they can differ under the same one. */
const isKeyReused = (error: unknown, { signers }: EnvelopeBody): boolean =>
  error instanceof ApiError &&
  error.slug === 'unprocessable-entity' &&
  error.faults.length === 0 &&
  signers.some(({ access_code, phone }) => access_code !== undefined || phone !== undefined);

/** Whether an envelope may have been sent although no answer says so. */
export const mayBeSent = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.slug === 'conflict';
