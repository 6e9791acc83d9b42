/**
 * node create-env.mjs <version> [<folder>]: writes .env for compose.yaml, with random secrets and with what is to be filled in, and
 * operators/operators.json. Replaces nothing: what the secrets sealed cannot be opened without them. Needs Node 20 or newer, no package.
 */
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const [version, folder = import.meta.dirname] = process.argv.slice(2);
if (version === undefined) {
  console.error('Usage: node create-env.mjs <version> [<folder>]');
  process.exit(2);
}

const hex = () => randomBytes(32).toString('hex');
const base64 = () => randomBytes(32).toString('base64');

const rolesSecret = hex();
/** The address for a role of the database, with the password that database/main.js gives it. */
const addressFor = (role) =>
  `postgres://${role}:${createHmac('sha256', rolesSecret).update(role).digest('hex')}@postgres:5432/constancia`;
const schemas = ['platform', 'identity', 'compliance', 'signing'];
const databases = schemas.flatMap((schema) => [
  [`${schema.toUpperCase()}_DATABASE_URL`, addressFor(`${schema}_app`)],
  [`${schema.toUpperCase()}_MIGRATION_DATABASE_URL`, addressFor(`${schema}_owner`)],
]);

const groups = {
  'Keep these: what they sealed cannot be opened without them.': [
    ['SECRETS_KEY', base64()],
    ['QUEUE_SEALING_KEY', base64()],
    ['ROLES_SECRET', rolesSecret],
    ...databases,
    ['POSTGRES_PASSWORD', hex()],
    ['REDIS_PASSWORD', hex()],
    ['S3_ACCESS_KEY_ID', randomBytes(10).toString('hex')],
    ['S3_SECRET_ACCESS_KEY', hex()],
  ],
  'Fill in. The environment is sandbox or production.': [
    ['CONSTANCIA_VERSION', version],
    ...['SERVICE_ENVIRONMENT', 'PLATFORM_HOST', 'COMPLIANCE_HOST', 'SIGNING_HOST', 'SIGN_HOST'],
    ...['CONSOLE_HOST', 'PERSON_HOST', 'S3_HOST', 'SMTP_URL', 'MAIL_FROM', 'SIGNING_CERTIFICATE_SUBJECT'],
    ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'KMS_KEY_ID', 'STATEMENT_KEY_ID', 'DATA_KEY_ID'],
  ],
  'Optional: top-ups, codes to phones, archives, traces.': [
    ...['PAYMENT_ACCESS_TOKEN', 'PAYMENT_WEBHOOK_SECRETS', 'SMS_ORIGINATION_IDENTITY', 'WHATSAPP_PHONE_NUMBER_ID'],
    ...['WHATSAPP_TEMPLATE', 'WHATSAPP_ACCESS_TOKEN', 'ARCHIVE_KEY_ID', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ],
};

// Single quotes: Compose takes what is in them as it stands.
const line = (entry) => (Array.isArray(entry) ? `${entry[0]}='${entry[1]}'\n` : `${entry}=\n`);
const text = Object.entries(groups).map(([title, entries]) => `# ${title}\n${entries.map(line).join('')}`);
fs.writeFileSync(path.join(folder, '.env'), text.join('\n'), { mode: 0o600, flag: 'wx' });
fs.mkdirSync(path.join(folder, 'operators'), { recursive: true });
const operators = path.join(folder, 'operators/operators.json');
if (!fs.existsSync(operators)) fs.writeFileSync(operators, '[]\n');
console.log(`${path.join(folder, '.env')} and ${operators}: fill in what is empty.`);
