import type { RunningSigning } from '../running-signing.fixture.ts';
import { succeeded } from '../circuits/circuits.fixture.ts';
import type { CreatedEnvelopeView } from './envelope-view.ts';

/** Signers for the circuit of circuits.fixture.ts. */
export const SIGNERS = [
  { role: 'buyer', email: 'ana@example.org', name: 'Ana Ñungo' },
  { role: 'seller', email: 'luis@example.org' },
];

/** Creates an envelope and answers it with its links. */
export async function sentEnvelope(
  signing: RunningSigning,
  key: string,
  circuitId: string,
  changes: object = {},
): Promise<CreatedEnvelopeView> {
  const body = { circuit_id: circuitId, signers: SIGNERS, ...changes };
  return succeeded(await signing.call<CreatedEnvelopeView>('/v1/envelopes', { key, body }));
}
