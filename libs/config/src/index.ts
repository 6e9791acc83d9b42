export { Env } from './env.ts';
export { HttpsInProduction } from './https-in-production.ts';
export { ConfigInvalid, describeConfig, loadConfig } from './load.ts';
export { withObjectStore, withSecretsKey, withWebhookTargets } from './mixins.ts';
export { ProcessConfig } from './process-config.ts';
export { runProgram } from './run-program.ts';
export { MigrationConfig, StoresConfig } from './stores-config.ts';
export { HTTP_ADDRESS, POSTGRES_ADDRESS, SMTP_ADDRESS } from './url-rules.ts';
