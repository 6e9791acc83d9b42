import type { Environment } from './environments.ts';

export type ModuleName =
  'platform' | 'compliance' | 'signing' | 'sealing-worker' | 'webhook-dispatcher' | 'biometrics-worker';

/** Whose role each module uses the database with: `<role>_app`. */
export const DATABASE_ROLE: Readonly<Record<ModuleName, string>> = {
  platform: 'platform',
  compliance: 'compliance',
  signing: 'signing',
  'sealing-worker': 'signing',
  'webhook-dispatcher': 'platform',
  'biometrics-worker': 'identity',
};

/** A destination or origin that a NetworkPolicy of a module names. */
export type Peer = 'postgres' | 'pooler' | 'redis' | 'aws' | 'smtp' | 'tracing' | 'webhooks' | 'providers';

/** What a worker is scaled by: its backlog as Prometheus knows it, and how much of it one copy should have. */
export interface Backlog {
  metric: string;
  /** A label that distinguishes parts of it, which are added up. Left out: it is one figure. */
  by?: string;
  perCopy: number;
}

export interface PublicHost {
  host: keyof Environment['hosts'];
  port: 'http' | 'sign' | 'console' | 'person';
  maxBodyMb: number;
  /** What lies below these paths is a credential, or has one in its query: it must not stand in the controller's access log. */
  secretPaths?: string[];
}

/** Of wallets of persons: an id that nobody else has, the token of a notice, and addresses of evidence. */
const RECOVERIES = ['/v1/wallet/recovery', '/v1/wallet/recovery-evidence'];

/** A unit that is deployed, upgraded and rolled back by itself. */
export interface Module {
  name: ModuleName;
  title: string;
  /** Ports with a name; `ops` is never in a public Ingress. The first is the one that probes ask. */
  ports: { http?: number; sign?: number; console?: number; person?: number; ops: number };
  /** Which public hosts reach which port. */
  hosts: PublicHost[];
  /** Variables that are the same everywhere. */
  settings: Record<string, string>;
  /** Variables that an environment decides. */
  environmentSettings: (environment: Environment) => Record<string, string>;
  /** Variables from the secret store: under the module's own name there, and under `shared`, which every module reads. */
  secrets: { own: string[]; shared: string[] };
  /** What the migrate command reads, under the name `<module>-migration`. Left out: nothing to migrate. */
  migration?: { secrets: string[] };
  reaches: Peer[];
  /** Connections of a copy over which notices come (LISTEN), one for each database that it hears: they never pass a pooler. */
  listens: number;
  resources: { cpu: string; memory: string; memoryLimit: string; tmp: string };
  /** Seconds after SIGTERM that the process itself may need: see libs/http serve and each worker's close. */
  drainSeconds: number;
  graceSeconds: number;
  /** A worker's backlog; APIs are scaled by processor time. */
  backlog?: Backlog;
}

const OPS_PORT = 9090;
export const ROUTES_READY_SECONDS = 5;

/** Where the operators' tokens are mounted, for modules that operators do something at. */
export const OPERATORS_FOLDER = '/etc/constancia/operators';
export const OPERATORS_FILE = 'operators.json';
export const hasOperators = ({ ports }: Pick<Module, 'ports'>): boolean => ports.http !== undefined;

/** What every process takes from the shared secret, beside what is its own. */
const SHARED_BY_ALL = ['REDIS_URL', 'QUEUE_SEALING_KEY'];

const everywhere = (environment: Environment): Record<string, string> => ({
  SERVICE_ENVIRONMENT: environment.kind,
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: environment.tracing.endpoint,
});

const api = (environment: Environment): Record<string, string> => ({
  ...everywhere(environment),
  BASE_URL: `https://${environment.hosts.platform}`,
  COMPLIANCE_URL: `https://${environment.hosts.compliance}`,
  SIGNING_URL: `https://${environment.hosts.signing}`,
  CONSOLE_URL: `https://${environment.hosts.console}`,
});

const documents = ({ aws }: Environment): Record<string, string> => ({
  S3_BUCKET: aws.bucket,
  S3_REGION: aws.region,
});

const archiveKey = ({ aws }: Environment): Record<string, string> => ({ ARCHIVE_KEY_ID: aws.archiveKey });

const dataKeys = ({ aws }: Environment): Record<string, string> => ({
  AWS_REGION: aws.region,
  DATA_KEY_ID: aws.dataKey,
});

const ofApi = (
  name: ModuleName,
): Pick<Module, 'settings' | 'drainSeconds' | 'graceSeconds'> & { name: ModuleName } => ({
  name,
  settings: {
    HOST: '0.0.0.0',
    PORT: '3000',
    OPS_PORT: String(OPS_PORT),
    DATABASE_POOL_SIZE: '10',
    TRUSTED_PROXY_HOPS: '1',
    DRAIN_SECONDS: '10',
    OPS_TOKENS_FILE: `${OPERATORS_FOLDER}/${OPERATORS_FILE}`,
  },
  // 10 s of looking away, 28.5 s for what is under way, then the app's own hooks.
  drainSeconds: 10 + 29,
  graceSeconds: 60,
});

const ofWorker = (name: ModuleName): Pick<Module, 'name' | 'ports' | 'hosts' | 'settings'> => ({
  name,
  ports: { ops: OPS_PORT },
  hosts: [],
  settings: { HOST: '0.0.0.0', OPS_PORT: String(OPS_PORT), DATABASE_POOL_SIZE: '10', DRAIN_SECONDS: '25' },
});

export const MODULES: readonly Module[] = [
  {
    ...ofApi('platform'),
    title: 'Platform and identity',
    ports: { http: 3000, console: 3009, person: 3016, ops: OPS_PORT },
    hosts: [
      {
        host: 'platform',
        port: 'http',
        maxBodyMb: 51,
        secretPaths: [
          ...[
            '/uploads',
            '/v1/embed/sessions',
            '/v1/wallet/issuance/offers',
            '/v1/oidc/authorize',
            '/v1/oidc/interaction',
          ],
          ...RECOVERIES,
        ],
      },
      { host: 'console', port: 'console', maxBodyMb: 1 },
      {
        host: 'person',
        port: 'person',
        maxBodyMb: 11,
        secretPaths: ['/v1/embed/sessions', '/consent', '/openid', ...RECOVERIES],
      },
    ],
    settings: {
      ...ofApi('platform').settings,
      CONSOLE_PORT: '3009',
      PERSON_PORT: '3016',
      TRM_SOCRATA_URL: 'https://www.datos.gov.co/resource/32sa-8pi3.json',
      TRM_SOAP_URL:
        'https://www.superfinanciera.gov.co/SuperfinancieraWebServiceTRM/TCRMServicesWebService/TCRMServicesWebService',
    },
    environmentSettings: (environment) => ({
      ...api(environment),
      ...documents(environment),
      ...dataKeys(environment),
      MAIL_FROM: environment.mailFrom,
      PERSON_URL: `https://${environment.hosts.person}`,
      STATEMENT_KEY_ID: environment.aws.statementKey,
      SIGNING_CERTIFICATE_SUBJECT: environment.certificateSubject,
    }),
    secrets: {
      own: ['DATABASE_URL', 'IDENTITY_DATABASE_URL', 'PAYMENT_ACCESS_TOKEN', 'PAYMENT_WEBHOOK_SECRETS'],
      shared: [...SHARED_BY_ALL, 'SECRETS_KEY', 'SMTP_URL'],
    },
    migration: { secrets: ['MIGRATION_DATABASE_URL', 'IDENTITY_MIGRATION_DATABASE_URL'] },
    reaches: ['postgres', 'redis', 'aws', 'smtp', 'tracing', 'providers'],
    listens: 2,
    // 256 MB of bodies, one child of 512 MB for pictures, the rest is the process.
    resources: { cpu: '250m', memory: '512Mi', memoryLimit: '1280Mi', tmp: '512Mi' },
  },
  {
    ...ofApi('compliance'),
    title: 'Compliance',
    ports: { http: 3000, ops: OPS_PORT },
    hosts: [{ host: 'compliance', port: 'http', maxBodyMb: 51 }],
    environmentSettings: (environment) => ({
      ...api(environment),
      ...documents(environment),
      ...dataKeys(environment),
      ...archiveKey(environment),
    }),
    secrets: { own: ['DATABASE_URL'], shared: [...SHARED_BY_ALL, 'SECRETS_KEY'] },
    migration: { secrets: ['MIGRATION_DATABASE_URL'] },
    reaches: ['postgres', 'redis', 'aws', 'tracing'],
    listens: 1,
    // The lists are in memory, twice while one is replaced; a file of 512 MB may lie in /tmp until it is imported.
    resources: { cpu: '500m', memory: '1Gi', memoryLimit: '2Gi', tmp: '2Gi' },
  },
  {
    ...ofApi('signing'),
    title: 'Electronic signature',
    ports: { http: 3000, sign: 3003, ops: OPS_PORT },
    hosts: [
      { host: 'signing', port: 'http', maxBodyMb: 51, secretPaths: ['/v1/sign', '/v1/embed/sessions'] },
      { host: 'sign', port: 'sign', maxBodyMb: 1, secretPaths: ['/'] },
    ],
    settings: { ...ofApi('signing').settings, SIGN_PORT: '3003' },
    environmentSettings: (environment) => ({
      ...api(environment),
      ...documents(environment),
      ...dataKeys(environment),
      ...archiveKey(environment),
      SIGN_URL: `https://${environment.hosts.sign}`,
      MAIL_FROM: environment.mailFrom,
      SMS_ORIGINATION_IDENTITY: environment.texts.smsPool,
      WHATSAPP_PHONE_NUMBER_ID: environment.texts.whatsAppNumber,
      WHATSAPP_TEMPLATE: environment.texts.whatsAppTemplate,
    }),
    secrets: { own: ['DATABASE_URL', 'WHATSAPP_ACCESS_TOKEN'], shared: [...SHARED_BY_ALL, 'SECRETS_KEY', 'SMTP_URL'] },
    migration: { secrets: ['MIGRATION_DATABASE_URL'] },
    reaches: ['postgres', 'redis', 'aws', 'smtp', 'tracing', 'providers'],
    listens: 1,
    // 256 MB of bodies, one child of 512 MB for PDFs, the rest is the process.
    resources: { cpu: '250m', memory: '512Mi', memoryLimit: '1280Mi', tmp: '512Mi' },
  },
  {
    ...ofWorker('sealing-worker'),
    title: 'Sealing of documents',
    environmentSettings: (environment) => ({
      ...everywhere(environment),
      ...documents(environment),
      ...dataKeys(environment),
      KMS_KEY_ID: environment.aws.signingKey,
      SIGN_URL: `https://${environment.hosts.sign}`,
      SIGNING_CERTIFICATE_SUBJECT: environment.certificateSubject,
      // All copies share the account's quota of 1,000 a second.
      KMS_MAX_PER_SECOND: String(Math.floor(1_000 / environment.replicas.max)),
    }),
    secrets: { own: ['DATABASE_URL'], shared: SHARED_BY_ALL },
    reaches: ['postgres', 'redis', 'aws', 'tracing'],
    listens: 0,
    // ADR 0050: 150 MB, 128 MB of templates, 256 MB of documents, two children of 512 MB.
    resources: { cpu: '500m', memory: '768Mi', memoryLimit: '1792Mi', tmp: '1Gi' },
    // The document in progress (8 s to draw, 10 s of KMS, twice), then what the queue brought.
    drainSeconds: 28 + 25,
    graceSeconds: 90,
    // Documents that are pending.
    backlog: { metric: 'sealing_backlog', by: 'kind', perCopy: 20 },
  },
  {
    ...ofWorker('webhook-dispatcher'),
    title: 'Delivery of webhooks',
    environmentSettings: (environment) => ({
      ...everywhere(environment),
      CONSOLE_URL: `https://${environment.hosts.console}`,
      MAIL_FROM: environment.mailFrom,
    }),
    secrets: { own: ['DATABASE_URL'], shared: [...SHARED_BY_ALL, 'SECRETS_KEY', 'SMTP_URL'] },
    reaches: ['postgres', 'redis', 'smtp', 'tracing', 'webhooks'],
    listens: 0,
    resources: { cpu: '250m', memory: '256Mi', memoryLimit: '768Mi', tmp: '64Mi' },
    // Attempts under way (10 s) end while the queue drains.
    drainSeconds: 10 + 25,
    graceSeconds: 60,
    // Seconds that the most overdue delivery waits: those that wait for their next attempt are no backlog.
    backlog: { metric: 'outbox_lag_seconds', perCopy: 10 },
  },
  {
    ...ofWorker('biometrics-worker'),
    title: 'Documents and faces',
    settings: { ...ofWorker('biometrics-worker').settings, BIOMETRICS_PROCESSES: '2' },
    environmentSettings: (environment) => ({
      ...everywhere(environment),
      ...documents(environment),
      ...dataKeys(environment),
    }),
    secrets: { own: ['DATABASE_URL'], shared: SHARED_BY_ALL },
    reaches: ['postgres', 'redis', 'aws', 'tracing'],
    listens: 1,
    // Two children of 1,024 MB; the number of cores that a container sees is the machine's, so it is said.
    resources: { cpu: '1', memory: '1536Mi', memoryLimit: '2560Mi', tmp: '256Mi' },
    // One attempt (15 s), then what the queue brought.
    drainSeconds: 15 + 25,
    graceSeconds: 60,
    // Steps that wait to be worked on.
    backlog: { metric: 'step_runs_backlog', perCopy: 4 },
  },
];
