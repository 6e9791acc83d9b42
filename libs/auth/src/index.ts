export { AuthModule } from './auth.module.ts';
export { ApiKeys } from './api-keys.ts';
export {
  generateApiKey,
  generateOwnerProofToken,
  generateRecoveryToken,
  generateWebhookSecret,
  hashSecret,
  OWNER_PROOF_TOKEN,
  parseApiKey,
} from './secrets.ts';
export type { NewApiKey, NewSecret } from './secrets.ts';
