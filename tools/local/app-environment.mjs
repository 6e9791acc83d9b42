import { PLACES, WORKSPACE } from './places.mjs';

/** Which database role an app acts as: a worker acts as its module's. */
const MODULE = {
  platform: 'platform',
  compliance: 'compliance',
  signing: 'signing',
  'sealing-worker': 'signing',
  'webhook-dispatcher': 'platform',
  'biometrics-worker': 'identity',
};

/** What the launcher itself decides, so that a value of the caller's shell cannot break the stack. */
const OURS = [
  'SERVICE_ENVIRONMENT',
  'HOST',
  'PORT',
  'SIGN_PORT',
  'CONSOLE_PORT',
  'PERSON_PORT',
  'OPS_PORT',
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'QUEUE_DATABASE_URL',
  'IDENTITY_DATABASE_URL',
  'IDENTITY_MIGRATION_DATABASE_URL',
];

/**
 * What the caller's shell says. With the development KMS, its own keys and credentials hold: a profile for real AWS that happens
 * to be set must not get in. A bucket needs the caller's credentials, and the development KMS takes any.
 */
function callersVariables(kms) {
  const credentials = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'];
  const embedded = kms.KMS_ENDPOINT !== undefined;
  const left = [
    ...OURS,
    ...(embedded ? ['KMS_KEY_ID', 'STATEMENT_KEY_ID', 'ARCHIVE_KEY_ID', 'DATA_KEY_ID'] : []),
    ...(embedded && !process.env.S3_BUCKET ? credentials : []),
  ];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.includes(name)));
}

/**
 * The environment of one app: what the local stack decides, under what the caller set, under what only the launcher
 * may set. The local stack is always a sandbox.
 *
 * @param {string} app
 * @param {{ ports: object, ops: Record<string, number>, urls: object, databases: Record<string, string>, secrets: object, kms: Record<string, string>, mail: Record<string, string>, payments: Record<string, string> }} deployment
 *   databases: address by role
 */
export function appEnvironment(app, { ports, ops, urls, databases, secrets, kms, mail, payments }) {
  const caller = callersVariables(kms);
  const module = MODULE[app] ?? app;
  return {
    BASE_URL: urls.base_url,
    COMPLIANCE_URL: urls.compliance_url,
    SIGNING_URL: urls.signing_url,
    SIGN_URL: urls.sign_url,
    CONSOLE_URL: urls.console_url,
    PERSON_URL: urls.person_url,
    SECRETS_KEY: secrets.SECRETS_KEY,
    QUEUE_SEALING_KEY: secrets.QUEUE_SEALING_KEY,
    OPS_TOKEN: secrets.OPS_TOKEN,
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    DRAIN_SECONDS: '0',
    ...kms,
    ...(caller.S3_BUCKET ? {} : { STORAGE_DIR: PLACES.storage }),
    ...mail,
    MAIL_FROM: 'Constancia <no-reply@constancia.localhost>',
    ...(app === 'platform' ? payments : {}),
    ...caller,
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: String(ports[app] ?? 0),
    SIGN_PORT: String(ports.sign),
    CONSOLE_PORT: String(ports.console),
    PERSON_PORT: String(ports.person),
    OPS_PORT: String(ops[app] ?? 0),
    DATABASE_URL: databases[`${module}_app`],
    MIGRATION_DATABASE_URL: databases[`${module}_owner`],
    QUEUE_DATABASE_URL: databases.queue_app,
    IDENTITY_DATABASE_URL: databases.identity_app,
    IDENTITY_MIGRATION_DATABASE_URL: databases.identity_owner,
  };
}

/** The file that starts an app, or a tool, after the build. */
export const bundleOf = (folder) => `${WORKSPACE}/dist/${folder}/main.js`;
