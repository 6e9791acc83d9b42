import type { SPANISH } from '../text/spanish-envelopes.ts';
import type { EnvelopeSigner, TrailEvent } from './use-envelope.ts';

type TrailWords = Pick<(typeof SPANISH)['trail'], 'events' | 'mails' | 'codes'>;

/** What an event says. Of a mail or message it depends on which one it was, of a code that was asked for on how it is sent. */
export function sentenceOf({ type, data }: Pick<TrailEvent, 'type' | 'data'>, words: TrailWords): string {
  const known = { 'signer.notified': words.mails, 'signer.otp_sent': words.codes }[type as string];
  const which = data.mail ?? data.message ?? data.method;
  return (typeof which === 'string' ? known?.[which] : undefined) ?? words.events[type];
}

/** Whom an event is about: the role, and the name where one is known. */
export function whoOf(
  { role, signer_id }: Pick<TrailEvent, 'role' | 'signer_id'>,
  signers: readonly Pick<EnvelopeSigner, 'id' | 'name'>[],
  titleOf: (role: string) => string,
): string | null {
  const name = signers.find(({ id }) => id === signer_id)?.name ?? null;
  if (role === null) return name;
  return name === null ? titleOf(role) : `${name} (${titleOf(role)})`;
}
