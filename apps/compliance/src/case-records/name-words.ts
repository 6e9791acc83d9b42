import type { TenantKeyring } from '@constancia/personal-data';

/** Words of one name that are found; further ones are not. */
const MOST_WORDS = 20;
const BYTES = 8;

/**
 * The words of a name as the store finds them: of each the beginning of an HMAC under a key of the tenant, in hexadecimal, so that the
 * store holds no name. Capitals, accents, order and repetition make no difference.
 */
export function nameWords(keyring: TenantKeyring, name: string | undefined): string[] {
  const plain = (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...words]
    .slice(0, MOST_WORDS)
    .map((word) => keyring.blindIndex('case_name_word', word).subarray(0, BYTES).toString('hex'));
}
