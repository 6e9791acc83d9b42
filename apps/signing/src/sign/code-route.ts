import type { Tx } from '@constancia/persistence';
import type { AuthMethod } from '../envelopes/envelope-rows.ts';
import type { FoundSigner, SignerFacts } from './find-signer.ts';
import { codeRefused, type RefusedCode } from './proof-outcome.ts';
import type { HeldEnvelope, SignerDesk } from './signer-desk.ts';

/**
 * Looks at a code in a transaction that holds the envelope, so that of a hundred guesses at once no more are looked at than are allowed.
 * A refusal is committed with its count, and then thrown as 422; answers how the signer stands after a right code.
 */
export async function afterCode(
  desk: SignerDesk,
  found: FoundSigner,
  method: AuthMethod,
  look: (tx: Tx, held: HeldEnvelope) => Promise<RefusedCode | undefined>,
): Promise<SignerFacts> {
  let refusal: RefusedCode | undefined;
  const facts = await desk.serveState(found, async (tx, held) => {
    refusal = await look(tx, held);
    return undefined;
  });
  if (refusal) throw codeRefused(method, refusal);
  return facts;
}
