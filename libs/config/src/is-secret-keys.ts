import { Matches } from 'class-validator';

const KEYS = /^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/;

/** Base64 of 32 bytes; several, comma-separated, while a key is being rotated. */
export function IsSecretKeys(): PropertyDecorator {
  return Matches(KEYS, {
    message: 'must be base64 of 32 bytes, or a comma-separated list of such, the current one first',
  });
}
