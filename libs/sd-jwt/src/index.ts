export type { ClaimPath, ClaimPathPattern } from './claim-paths.ts';
export { CREDENTIAL_TYP } from './credential-claims.ts';
export type { HolderKey, StatusReference } from './credential-claims.ts';
export { issueCredential } from './issue-credential.ts';
export type { CredentialToIssue } from './issue-credential.ts';
export type { KeyBinding } from './key-binding.ts';
export { verifyKeyProof } from './key-proof.ts';
export type { KeyProof } from './key-proof.ts';
export { KEY_BINDING_BYTES, MAX_CREDENTIAL_BYTES, MAX_DISCLOSURES } from './limits.ts';
export { disclosableClaims, presentCredential } from './present-credential.ts';
export type { PresentationToMake } from './present-credential.ts';
export type { CredentialRefusal } from './refusals.ts';
export { TypeMetadata } from './type-metadata.ts';
export { verifyCredential, verifyPresentation } from './verify-presentation.ts';
export type {
  ExpectedCredential,
  ExpectedPresentation,
  StatusReader,
  VerifiedCredential,
} from './verify-presentation.ts';
