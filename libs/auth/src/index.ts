export { AuditLog, changedValues, principalId } from './audit-log.ts';
export type { AuditEntry, AuditedValues } from './audit-log.ts';
export { AuthModule } from './auth.module.ts';
export { Credentials } from './credentials.ts';
export { KeyUses } from './key-uses.ts';
export { networksOf, parseCidr } from './networks.ts';
export type { Networks } from './networks.ts';
export {
  generateApiKey,
  generateCheckedToken,
  generateMemberToken,
  generateOwnerProofToken,
  generateRecoveryToken,
  generateWebhookSecret,
  hashSecret,
  isCheckedToken,
  isMemberToken,
  OWNER_PROOF_TOKEN,
  parseApiKey,
} from './secrets.ts';
export type { NewApiKey, NewSecret } from './secrets.ts';
