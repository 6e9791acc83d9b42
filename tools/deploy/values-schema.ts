/** JSON Schema of a values file. Descriptions complete the sentence "… must be": they are what a wrong value is answered with. */
interface Schema {
  description?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  [keyword: string]: unknown;
}

const text = (description: string, more: object = {}): Schema => ({
  type: 'string',
  minLength: 1,
  description,
  ...more,
});
const matching = (description: string, pattern: string, more: object = {}) => text(description, { pattern, ...more });
const DNS_LABEL = '^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$';
const host = (of: string) =>
  matching(`the DNS name of ${of}, without https://`, '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$');
const label = (description: string, more: object = {}) =>
  matching(`${description}: small letters, digits and hyphens`, DNS_LABEL, more);
const url = (description: string, more: object = {}) => matching(`${description}, an address`, '^https?://\\S+$', more);
const count = (description: string, more: object = {}): Schema => ({
  type: 'integer',
  minimum: 1,
  description: `${description}, a number from 1`,
  ...more,
});
const cidrs = (of: string): Schema => ({
  type: 'array',
  minItems: 1,
  description: `the address ranges of ${of}, a list with at least one`,
  items: matching(`an address range of ${of}, like 10.0.0.0/24`, '^([0-9.]+|[0-9a-f:]+)/\\d{1,3}$'),
});

/** Every member is required unless it has a default, and no other one is known. */
function object(description: string, properties: Record<string, Schema>, more: object = {}): Schema {
  const required = Object.keys(properties).filter((name) => !('default' in (properties[name] as Schema)));
  return { type: 'object', description, properties, required, additionalProperties: false, ...more };
}

const SECTIONS = {
  name: label('the name of the environment, as folders, roles and labels have it'),
  kind: text('sandbox or production', { enum: ['sandbox', 'production'] }),
  namespace: label('the namespace of its objects'),
  hosts: object('the public hosts', {
    platform: host('the platform’s API'),
    compliance: host('the API of compliance'),
    signing: host('the API of signing'),
    sign: host('the pages of signers'),
    console: host('the console'),
    person: host('the pages of persons'),
  }),
  registry: text('what the names of the images begin with, like registry.bank.example/constancia'),
  ingress: object('how the public hosts are reached', {
    kind: text('ingress (of ingress-nginx) or gateway (Gateway API)', {
      enum: ['ingress', 'gateway'],
      default: 'ingress',
    }),
    className: text('the IngressClass or GatewayClass'),
    namespace: label('the namespace in which the pods of the ingress controller or of the gateway run'),
    issuer: text('the ClusterIssuer of cert-manager'),
  }),
  secrets: object('where secrets are read', {
    store: text('the ClusterSecretStore of the External Secrets operator'),
    prefix: text('what the names in that store begin with'),
  }),
  networks: object('where what the modules need is', {
    postgres: cidrs('PostgreSQL'),
    redis: cidrs('Redis'),
    aws: cidrs('the VPC endpoints of AWS'),
    smtp: cidrs('the mail relay'),
  }),
  monitoring: object('Prometheus', {
    namespace: label('the namespace of Prometheus', { default: 'monitoring' }),
    prometheus: url('where Prometheus answers', { default: 'http://prometheus-operated.monitoring.svc:9090' }),
    runbooks: url('where people open the runbooks'),
  }),
  tracing: object(
    'the collector of traces',
    {
      namespace: label('the namespace of the collector', { default: 'observability' }),
      endpoint: url('where the collector takes OTLP over HTTP', {
        default: 'http://otel-collector.observability.svc:4318',
      }),
      port: count('the port of the collector', { default: 4318 }),
    },
    { default: {} },
  ),
  aws: object('what the modules use of AWS', {
    region: matching('a region of AWS, like us-east-1', '^[a-z]{2}(-[a-z]+)+-\\d$'),
    account: matching('the number of the account, twelve digits in quotes', '^\\d{12}$'),
    bucket: matching('the name of the bucket', '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
    signingKey: text('the RSA key that seals documents: id, ARN or alias'),
    statementKey: text('the RSA key that seals statements: id, ARN or alias'),
    archiveKey: {
      type: 'string',
      description: 'the RSA key that signs archived files of compliance and signing: id, ARN or alias',
      default: '',
    },
    dataKey: text('the symmetric key that wraps data keys: id, ARN or alias; former ones follow, separated by commas'),
  }),
  mailFrom: matching('the sender of mails, like Bank <no-reply@bank.example>', '@'),
  texts: object(
    'senders of codes to phones; empty where there is none',
    {
      smsPool: { type: 'string', description: 'a pool or number of AWS End User Messaging', default: '' },
      whatsAppNumber: {
        type: 'string',
        description: 'a number of the WhatsApp Cloud API by its id, in quotes',
        default: '',
      },
      whatsAppTemplate: { type: 'string', description: 'the template of the code', default: '' },
    },
    { default: {} },
  ),
  certificateSubject: matching('the name in certificates, like CN=Bank, C=CO', '^CN='),
  backup: object('the scheduled dump of the database', {
    schedule: matching('when it is made, as cron has it, in UTC', '^(\\S+ ){4}\\S+$', { default: '17 7 * * *' }),
    bucket: matching(
      'the name of the bucket for dumps, not that of the documents',
      '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    ),
    size: matching('room for a dump while it is made, like 50Gi', '^\\d+[GT]i$', { default: '50Gi' }),
    postgresImage: text('an image with pg_dump of the version of the server or newer', {
      default: 'docker.io/library/postgres:17-bookworm',
    }),
    awsImage: text('an image with the AWS CLI', { default: 'public.ecr.aws/aws-cli/aws-cli:2.28.1' }),
  }),
  pooler: object(
    'the pooler of connections to PostgreSQL',
    {
      enabled: { type: 'boolean', description: 'true or false', default: false },
      server: { type: 'string', description: 'the DNS name of PostgreSQL, without a port', default: '' },
      database: text('the name of the database', { default: 'constancia' }),
      issuer: {
        type: 'string',
        description: 'the ClusterIssuer of cert-manager that gives certificates for names in the cluster',
        default: '',
      },
      copies: count('the copies of the pooler', { default: 2 }),
      connections: count('the connections to PostgreSQL of each copy for each of the four app roles', { default: 12 }),
      image: text('an image with pgbouncer 1.18 or newer and sh', {
        default: 'docker.io/edoburu/pgbouncer:v1.24.1-p1',
      }),
    },
    { default: {} },
  ),
  replica: object(
    'a hot standby of the database, which the APIs read lists, exports and statistics from',
    {
      enabled: { type: 'boolean', description: 'true or false', default: false },
      server: {
        type: 'string',
        description: 'the DNS name of the standby, without a port; the pooler needs it',
        default: '',
      },
    },
    { default: {} },
  ),
  replicas: object('the copies of each module', {
    min: count('the least copies'),
    max: count('the most copies'),
  }),
};

export const VALUES_SCHEMA: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of an environment of Constancia',
  ...object('the values of an environment', SECTIONS),
};
