import { hostOf, needsTls } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SigningConfig } from '../config.ts';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { codeRefused, type RefusedCode } from '../signer-requests/proof-outcome.ts';
import { SignState } from '../signer-requests/sign-state-view.ts';
import type { HeldEnvelope, SignerRequests } from '../signer-requests/signer-requests.ts';
import { hashOf, type IssuedProof, proofCookie } from '../signer-requests/signer-proofs.ts';

export class ProofView {
  @ApiProperty({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'That this client has authenticated: sent as `X-Sign-Proof` with what needs it. Pages on the sign host have it as a cookie.',
    example: 'rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxEQ0dN8yXcV1',
  })
  token: string;

  @ApiProperty({
    format: 'date-time',
    description: '30 minutes after its last use, 8 hours after the first code at most.',
  })
  expires_at: string;
}

/** How the signer stands after a code was accepted, and the proof of it. */
export class ProvenState extends SignState {
  @ApiProperty()
  proof: ProofView;
}

/**
 * Looks at a code in a transaction that holds the envelope, so that of a hundred guesses at once no more are looked at than are allowed.
 * A refusal is committed with its count, and then thrown as 422; answers how the signer stands after a right code, with the proof.
 */
export async function afterCode(
  requests: SignerRequests,
  { found, method }: { found: FoundSigner; method: AuthMethod },
  look: (tx: Tx, held: HeldEnvelope) => Promise<IssuedProof | RefusedCode>,
): Promise<ProvenState> {
  const { outcome, facts } = await requests.serve(found, async (tx, held) => {
    const outcome = await look(tx, held);
    const facts = 'token' in outcome ? await requests.factsAfter(tx, found, hashOf(outcome.token)) : null;
    return { result: { outcome, facts } };
  });
  if (!('token' in outcome) || facts === null) throw codeRefused(method, outcome as RefusedCode);
  return { ...SignState.of(facts), proof: { token: outcome.token, expires_at: outcome.expiresAt.toISOString() } };
}

/** Gives the page on the sign host its proof as a cookie; integrators' own pages hold the token. */
export function setProofCookie(
  { request, reply, config }: { request: FastifyRequest; reply: FastifyReply; config: SigningConfig },
  { proof }: ProvenState,
): void {
  if (hostOf(request.raw) !== 'page') return;
  const { token } = request.params as { token: string };
  reply.header('Set-Cookie', proofCookie(proof.token, token, needsTls(config.signUrl)));
}
