import type { FrameSecrets } from '../api/signer-api.ts';

/** What a frame holds in the place of cookies, for as long as it is open: the access token, the proof and the claim of its signer. */
export class FrameMemory implements FrameSecrets {
  private proof: string | null = null;
  private claim: string | null = null;

  constructor(private readonly access: string) {}

  headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.access}`,
      ...(this.proof !== null && { 'x-sign-proof': this.proof }),
      ...(this.claim !== null && { 'x-identity-claim': this.claim }),
    };
  }

  learn(answer: unknown): void {
    const { proof, claim } = (answer ?? {}) as { proof?: { token: string }; claim?: { token: string } | null };
    if (proof !== undefined) this.proof = proof.token;
    if (claim !== undefined && claim !== null) this.claim = claim.token;
  }
}
