import { hashSecret } from '@constancia/auth';
import type { Tx } from '@constancia/persistence';
import { ApiProperty } from '@nestjs/swagger';
import { BROWSER_TOKEN, PROOF, setTokenCookie } from './browser-tokens.ts';
import type { FoundSigner } from './found-signer.ts';
import type { IssuedProof } from './signer-proofs.ts';
import type { SignerRequests } from './signer-requests.ts';
import { SignState } from './sign-state-view.ts';

export class ProofView {
  @ApiProperty({
    pattern: BROWSER_TOKEN.source,
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

/** How the signer stands after a method was proven, and the proof of it. */
export class ProvenState extends SignState {
  @ApiProperty()
  proof: ProofView;
}

/** How the signer stands for the holder of a new proof, with what this transaction changed. Throws NotFound. */
export async function provenState(
  requests: SignerRequests,
  { tx, found }: { tx: Tx; found: FoundSigner },
  proof: IssuedProof,
): Promise<ProvenState> {
  const facts = await requests.factsAfter(tx, found, hashSecret(proof.token));
  return { ...SignState.of(facts), proof: { token: proof.token, expires_at: proof.expiresAt.toISOString() } };
}

/** Gives the page on the sign host its proof as a cookie. */
export function setProofCookie(on: Parameters<typeof setTokenCookie>[1], { proof }: ProvenState): void {
  setTokenCookie(PROOF, on, proof.token);
}
