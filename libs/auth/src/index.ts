export { AuthModule } from './auth.module.ts';
export { ApiKeys } from './api-keys.ts';
export type { KeyStore } from './api-keys.ts';
export { ApiKeyAuthenticator } from './api-key-authenticator.ts';
export {
  generateApiKey,
  generateOwnerProofToken,
  generateRecoveryToken,
  generateWebhookSecret,
  hashSecret,
  isRecoveryToken,
  OWNER_PROOF_TOKEN,
  parseApiKey,
} from './secrets.ts';
export type { NewApiKey, NewSecret } from './secrets.ts';
