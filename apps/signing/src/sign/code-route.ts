import type { Tx } from '@constancia/persistence';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { type CodeMethod, codeRefused, type RefusedCode } from '../signer-requests/proof-outcome.ts';
import { type ProvenState, provenState } from '../signer-requests/proven-state.ts';
import type { IssuedProof } from '../signer-requests/signer-proofs.ts';
import type { HeldEnvelope, SignerRequests } from '../signer-requests/signer-requests.ts';

/**
 * Looks at a code in a transaction that holds the envelope, so that of a hundred guesses at once no more are looked at than are allowed.
 * A refusal is committed with its count, and then thrown as 422; answers how the signer stands after a right code, with the proof.
 */
export async function afterCode(
  requests: SignerRequests,
  { found, method }: { found: FoundSigner; method: CodeMethod },
  look: (tx: Tx, held: HeldEnvelope) => Promise<IssuedProof | RefusedCode>,
): Promise<ProvenState> {
  const outcome = await requests.serve<ProvenState | RefusedCode>(found, async (tx, held) => {
    const looked = await look(tx, held);
    return { result: 'token' in looked ? await provenState(requests, { tx, found }, looked) : looked };
  });
  if ('attemptsLeft' in outcome) throw codeRefused(method, outcome);
  return outcome;
}
