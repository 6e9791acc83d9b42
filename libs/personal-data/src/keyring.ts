/** What a thread needs to open records: without the clients of KMS and of the store. */
export { SubjectKey } from './subject-key.ts';
export { TenantKeyring, type TenantKeyMaterial } from './tenant-keyring.ts';
