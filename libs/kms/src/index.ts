export { SigningKms } from './signing-kms.ts';
export type { SigningKmsOptions, SigningPublicKey } from './signing-kms.ts';
export { SigningUnavailable } from './signing-unavailable.ts';
export type { SigningTrouble } from './signing-unavailable.ts';
