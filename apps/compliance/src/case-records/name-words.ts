import type { TenantKeyring } from '@constancia/personal-data';

/** As many words as the longest name can have (payload.full_name, 1,000 characters). */
const MOST_WORDS = 500;
const BYTES = 8;

/**
 * The words of a name as the store finds them: of each the beginning of an HMAC under a key of the tenant, in hexadecimal, so that the
 * store holds no name. Capitals, accents, order and repetition make no difference, and the order of the name is not kept.
 */
export function nameWords(keyring: TenantKeyring, name: string | undefined): string[] {
  const plain = (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...words]
    .slice(0, MOST_WORDS)
    .map((word) => keyring.blindIndex('case_name_word', word).subarray(0, BYTES).toString('hex'))
    .sort();
}
