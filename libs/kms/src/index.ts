export { CachedDataKeys } from './cached-data-keys.ts';
export { DataKeys, WrappedKeyRefused } from './data-keys.ts';
export type { DataKey } from './data-keys.ts';
export type { KmsOptions } from './kms-calls.ts';
export { KmsModule } from './kms.module.ts';
export { KmsUnavailable } from './kms-unavailable.ts';
export { SigningKms } from './signing-kms.ts';
export type { SigningPublicKey } from './signing-kms.ts';
