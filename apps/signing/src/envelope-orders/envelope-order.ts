import type { CreateEnvelopeBody } from './create-envelope-body.ts';

/** An envelope to be made of a circuit: the body of a request, or a row of a batch. */
export type EnvelopeOrder = Omit<CreateEnvelopeBody, 'circuit_id'>;
