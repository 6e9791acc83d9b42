export { ConfigModule } from './config.module.ts';
export { Env } from './env.ts';
export { HttpsInProduction } from './https-in-production.ts';
export { ConfigInvalid, describeConfig, loadConfig } from './load.ts';
export {
  withArchiveKey,
  withDataKeys,
  withMail,
  withObjectStore,
  withSecretsKey,
  withWebhookTargets,
} from './mixins.ts';
export type { ArchiveKeyConfig, DataKeysConfig, KmsConfig, MailConfig } from './mixins.ts';
export { ProcessConfig } from './process-config.ts';
export { ResealConfig } from './reseal-config.ts';
export { runProgram } from './run-program.ts';
export { SecretsModule } from './secrets.module.ts';
export { MigrationConfig, StoresConfig } from './stores-config.ts';
export { withTextMessages } from './text-messages-config.ts';
export type { TextMessagesConfig } from './text-messages-config.ts';
export { HTTP_ADDRESS, POSTGRES_ADDRESS, SMTP_ADDRESS } from './url-rules.ts';
