import { canonicalJson } from '@constancia/kernel/canonical-json';
import type { components } from '@constancia/sdk/generated/signing';
import { sha256 } from '../sha256.ts';

export type EnvelopeBody = components['schemas']['CreateEnvelopeBody'];

/**
 * The Idempotency-Key of an envelope follows from what is sent: who sends the same again within 24 hours, even after the page was closed,
 * gets the first answer and pays once. Access codes and numbers play no part, since a key is stored and they are short enough to be guessed from it.
 * @param copy how often the same was sent again on purpose.
 */
export async function envelopeKey({ signers, ...rest }: EnvelopeBody, copy: number): Promise<string> {
  const people = signers.map(({ access_code: _, phone: __, ...signer }) => signer);
  const hash = await sha256(canonicalJson([{ ...rest, signers: people }, copy]));
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
