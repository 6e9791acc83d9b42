import { readDisclosure, sha256Base64url } from './disclosure.ts';
import type { Disclosure } from './disclosure.ts';
import { MAX_CREDENTIAL_BYTES, MAX_DISCLOSURES } from './limits.ts';
import { refused } from './refusals.ts';

/** The parts of a credential or presentation: `issuer-signed JWT~disclosure~…~key binding` (RFC 9901, section 4). */
export interface CompactParts {
  issuerJwt: string;
  disclosures: Disclosure[];
  /** Null for a credential, which ends with a tilde. */
  keyBindingJwt: string | null;
}

/** Takes the text apart. Throws TokenRefused when it is too large, has too many disclosures or one that cannot be read. */
export function splitCompact(text: string): CompactParts {
  if (text.length > MAX_CREDENTIAL_BYTES)
    throw refused('too_large', `the credential is larger than ${MAX_CREDENTIAL_BYTES} bytes`);
  const parts = text.split('~');
  if (parts.length < 2) throw refused('malformed', 'there is no tilde after the issuer-signed JWT');
  const [issuerJwt, encoded, keyBindingJwt] = [parts[0] as string, parts.slice(1, -1), parts.at(-1) as string];
  if (encoded.length > MAX_DISCLOSURES)
    throw refused('too_many_disclosures', `there are more than ${MAX_DISCLOSURES} disclosures`);
  return {
    issuerJwt,
    disclosures: encoded.map(readDisclosure),
    keyBindingJwt: keyBindingJwt === '' ? null : keyBindingJwt,
  };
}

/** What is signed by the issuer and shown by the holder, up to and with the last tilde. */
export const joinCompact = (issuerJwt: string, disclosures: readonly Pick<Disclosure, 'encoded'>[]): string =>
  [issuerJwt, ...disclosures.map(({ encoded }) => encoded), ''].join('~');

/** What a key binding says of the credential that it is shown with (RFC 9901, section 4.3.1). */
export const sdHash = (credentialWithTilde: string): string => sha256Base64url(credentialWithTilde);
