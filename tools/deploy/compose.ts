import type { Environment } from './environments.ts';
import { DATABASE_ROLE, hasOperators, type Module, MODULES, OPERATORS_FOLDER } from './modules.ts';

/** A value of .env that must be filled in; one that may stay empty, which counts as not set. */
const required = (name: string) => `\${${name}:?is missing in .env}`;
const optional = (name: string) => `\${${name}:-}`;

/** What may be left out of a deployment: top-ups, codes to phones. */
const OPTIONAL_SECRETS = ['PAYMENT_ACCESS_TOKEN', 'PAYMENT_WEBHOOK_SECRETS', 'WHATSAPP_ACCESS_TOKEN'];
const BUCKET = 'constancia';

/** The settings of a deployment on one machine: each is a variable of .env. */
const MACHINE: Pick<
  Environment,
  'hosts' | 'tracing' | 'aws' | 'mailFrom' | 'texts' | 'certificateSubject' | 'replicas'
> = {
  hosts: {
    platform: required('PLATFORM_HOST'),
    compliance: required('COMPLIANCE_HOST'),
    signing: required('SIGNING_HOST'),
    sign: required('SIGN_HOST'),
    console: required('CONSOLE_HOST'),
    person: required('PERSON_HOST'),
  },
  tracing: { namespace: '', endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'), port: 0 },
  aws: {
    region: required('AWS_REGION'),
    account: '',
    bucket: BUCKET,
    signingKey: required('KMS_KEY_ID'),
    statementKey: required('STATEMENT_KEY_ID'),
    archiveKey: optional('ARCHIVE_KEY_ID'),
    dataKey: required('DATA_KEY_ID'),
  },
  mailFrom: required('MAIL_FROM'),
  texts: {
    smsPool: optional('SMS_ORIGINATION_IDENTITY'),
    whatsAppNumber: optional('WHATSAPP_PHONE_NUMBER_ID'),
    whatsAppTemplate: optional('WHATSAPP_TEMPLATE'),
  },
  certificateSubject: required('SIGNING_CERTIFICATE_SUBJECT'),
  replicas: { min: 1, max: 1 },
};

/** In addition to the settings of every deployment: the stores of this machine, and a key for KMS. Connections stay in its network. */
function ofMachine(settings: Record<string, string>): Record<string, string> {
  return {
    SERVICE_ENVIRONMENT: required('SERVICE_ENVIRONMENT'),
    ACCEPTED_CLEARTEXT: 'postgres,redis',
    ...('S3_BUCKET' in settings && {
      S3_REGION: 'us-east-1',
      // As browsers and devices reach it too: they upload to addresses that are signed for this host.
      S3_ENDPOINT: `https://${required('S3_HOST')}`,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: required('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: required('S3_SECRET_ACCESS_KEY'),
    }),
    ...('AWS_REGION' in settings && {
      AWS_ACCESS_KEY_ID: required('AWS_ACCESS_KEY_ID'),
      AWS_SECRET_ACCESS_KEY: required('AWS_SECRET_ACCESS_KEY'),
    }),
  };
}

function secretOf(name: string, { name: module }: Module): string {
  if (name === 'DATABASE_URL') return required(`${DATABASE_ROLE[module].toUpperCase()}_DATABASE_URL`);
  if (name === 'MIGRATION_DATABASE_URL') return required(`${module.toUpperCase()}_MIGRATION_DATABASE_URL`);
  if (name === 'REDIS_URL') return `redis://:${required('REDIS_PASSWORD')}@redis:6379`;
  return OPTIONAL_SECRETS.includes(name) ? optional(name) : required(name);
}

/** Every variable of a module, settings and secrets alike. */
function variablesOf(module: Module): Record<string, string> {
  const settings = { ...module.settings, ...module.environmentSettings(MACHINE as Environment) };
  const secrets = [...module.secrets.own, ...module.secrets.shared];
  return {
    ...settings,
    ...ofMachine(settings),
    ...Object.fromEntries(secrets.map((name) => [name, secretOf(name, module)])),
  };
}

const CONFINED = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

const imageOf = (name: string) => `\${REGISTRY:-}constancia/${name}:${required('CONSTANCIA_VERSION')}`;
const lowerCase = (size: string) => size.replace(/i$/, '').toLowerCase();
const healthcheck = (...test: string[]) => ({ test, interval: '10s', timeout: '5s', retries: 6, start_period: '60s' });
const READY =
  "fetch('http://127.0.0.1:9090/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))";
const healthy = { condition: 'service_healthy' };
const completed = { condition: 'service_completed_successfully' };

/** The address of this machine alone: a proxy with certificates stands before it. Each module has a hundred ports of its own. */
const published = ({ ports }: Module, index: number) =>
  Object.values(ports).map((port) => `127.0.0.1:${port + 100 * index}:${port}`);

function appService(module: Module, index: number) {
  const schema = DATABASE_ROLE[module.name] === 'identity' ? 'platform' : DATABASE_ROLE[module.name];
  return {
    image: imageOf(module.name),
    ...CONFINED,
    restart: 'unless-stopped',
    environment: variablesOf(module),
    ...(hasOperators(module) && { volumes: [`./operators:${OPERATORS_FOLDER}:ro`] }),
    tmpfs: [`/tmp:size=${lowerCase(module.resources.tmp)}`],
    mem_limit: lowerCase(module.resources.memoryLimit),
    stop_grace_period: `${module.graceSeconds}s`,
    ports: published(module, index),
    networks: ['stores', 'outside'],
    healthcheck: healthcheck('CMD', 'node', '-e', READY),
    depends_on: { [`${schema}-migration`]: completed, redis: healthy, bucket: completed },
  };
}

/** Brings a module's schema up to date; the platform's publishes what the others' use. */
function migrationService(module: Module, names: readonly string[]) {
  return {
    image: imageOf(module.name),
    command: ['migrate'],
    ...CONFINED,
    restart: 'on-failure:3',
    environment: Object.fromEntries(names.map((name) => [name, secretOf(name, module)])),
    tmpfs: ['/tmp:size=16m'],
    networks: ['stores'],
    depends_on: module.name === 'platform' ? { database: completed } : { 'platform-migration': completed },
  };
}

/** Stores of this machine alone. Their data is in volumes; Redis has none, since its queues hold hints only. */
const STORES = {
  postgres: {
    image: 'docker.io/library/postgres:17-bookworm',
    restart: 'unless-stopped',
    command: ['postgres', '-c', 'max_connections=200'],
    environment: { POSTGRES_DB: 'constancia', POSTGRES_PASSWORD: required('POSTGRES_PASSWORD') },
    volumes: ['postgres:/var/lib/postgresql/data'],
    shm_size: '256m',
    stop_grace_period: '60s',
    networks: ['stores'],
    healthcheck: healthcheck('CMD', 'pg_isready', '--username', 'postgres', '--dbname', 'constancia'),
  },
  redis: {
    image: 'docker.io/library/redis:7-bookworm',
    restart: 'unless-stopped',
    command: ['sh', '-c', 'exec redis-server --requirepass "$$REDISCLI_AUTH" --maxmemory-policy noeviction --save ""'],
    environment: { REDISCLI_AUTH: required('REDIS_PASSWORD') },
    networks: ['stores'],
    healthcheck: healthcheck('CMD', 'redis-cli', 'ping'),
  },
  s3: {
    image: 'docker.io/chrislusf/seaweedfs:3.97',
    restart: 'unless-stopped',
    command: ['server', '-dir=/data', '-ip=s3', '-ip.bind=0.0.0.0', '-s3', '-s3.config=/etc/seaweedfs/s3.json'],
    configs: [{ source: 's3', target: '/etc/seaweedfs/s3.json' }],
    volumes: ['s3:/data'],
    ports: ['127.0.0.1:8333:8333'],
    networks: ['stores', 'outside'],
    healthcheck: healthcheck('CMD', 'wget', '-q', '-O', '-', 'http://127.0.0.1:8333/healthz'),
  },
};

const WEED = 'weed shell -master=s3:9333';

/** What is done once, before the apps: the bucket, and the roles and schemas of the database. */
const PREPARATIONS = {
  bucket: {
    image: STORES.s3.image,
    entrypoint: ['sh', '-c'],
    command: [
      `echo s3.bucket.list | ${WEED} | grep -qw ${BUCKET} || echo "s3.bucket.create -name ${BUCKET}" | ${WEED}`,
    ],
    restart: 'on-failure:3',
    networks: ['stores'],
    depends_on: { s3: healthy },
  },
  database: {
    image: imageOf('platform'),
    entrypoint: ['node', '/database/main.js'],
    ...CONFINED,
    restart: 'on-failure:3',
    // It prints the address of every role.
    logging: { driver: 'none' },
    environment: {
      ADMIN_DATABASE_URL: `postgres://postgres:${required('POSTGRES_PASSWORD')}@postgres:5432/constancia`,
      ROLES_SECRET: required('ROLES_SECRET'),
    },
    volumes: ['../../database:/database:ro'],
    networks: ['stores'],
    depends_on: { postgres: healthy },
  },
};

/** One machine without Kubernetes: the modules with their migrations, and the stores that they need. */
export function composeFile(): object {
  const migrations = MODULES.flatMap((module) =>
    module.migration === undefined
      ? []
      : [[`${module.name}-migration`, migrationService(module, module.migration.secrets)] as const],
  );
  const key = { accessKey: required('S3_ACCESS_KEY_ID'), secretKey: required('S3_SECRET_ACCESS_KEY') };
  const actions = [`Read:${BUCKET}`, `Write:${BUCKET}`, `List:${BUCKET}`];
  return {
    name: 'constancia',
    services: {
      ...STORES,
      ...PREPARATIONS,
      ...Object.fromEntries(migrations),
      ...Object.fromEntries(MODULES.map((module, index) => [module.name, appService(module, index)])),
    },
    networks: { stores: { internal: true }, outside: {} },
    volumes: { postgres: {}, s3: {} },
    configs: { s3: { content: JSON.stringify({ identities: [{ name: 'constancia', credentials: [key], actions }] }) } },
  };
}
