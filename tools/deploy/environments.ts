import fs from 'node:fs';
import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { parse } from 'yaml';
import { VALUES_SCHEMA } from './values-schema.ts';

/** A deployment: what a values file says, with the defaults of its schema. */
export interface Environment {
  name: string;
  /** SERVICE_ENVIRONMENT of its processes. */
  kind: 'sandbox' | 'production';
  namespace: string;
  hosts: { platform: string; compliance: string; signing: string; sign: string; console: string; person: string };
  /** Repositories of the images begin with it. */
  registry: string;
  /** An Ingress of nginx for each host, or routes of the Gateway API on a Gateway of the environment. */
  ingress: { kind: 'ingress' | 'gateway'; className: string; namespace: string; issuer: string };
  /** A ClusterSecretStore of the External Secrets operator, and what the names in it begin with. */
  secrets: { store: string; prefix: string };
  /** Where what the modules need is, as address ranges: Postgres, Redis, the VPC endpoints of AWS, the mail relay. */
  networks: { postgres: string[]; redis: string[]; aws: string[]; smtp: string[] };
  monitoring: { namespace: string; prometheus: string; runbooks: string };
  tracing: { namespace: string; endpoint: string; port: number };
  /** Keys are ids, ARNs or aliases; archiveKey is empty where nothing is archived. */
  aws: {
    region: string;
    account: string;
    bucket: string;
    signingKey: string;
    statementKey: string;
    archiveKey: string;
    dataKey: string;
  };
  mailFrom: string;
  /** Senders of codes to phones: a pool of AWS End User Messaging, a number of the WhatsApp Cloud API by its id, and its template. */
  texts: { smsPool: string; whatsAppNumber: string; whatsAppTemplate: string };
  certificateSubject: string;
  /** When the database is dumped (cron, UTC), to which bucket, with how much room, and the images of PostgreSQL and of the AWS CLI. */
  backup: { schedule: string; bucket: string; size: string; postgresImage: string; awsImage: string };
  /**
   * pgbouncer between the modules and PostgreSQL, off by default. `connections` of each copy for each app role; `issuer` signs the
   * certificate that the modules check.
   */
  pooler: {
    enabled: boolean;
    server: string;
    database: string;
    issuer: string;
    copies: number;
    connections: number;
    image: string;
  };
  /** A hot standby that the APIs read lists, exports and statistics from, off by default; `server` is for the pooler. */
  replica: { enabled: boolean; server: string };
  /** Copies of each module: at least and at most. */
  replicas: { min: number; max: number };
}

/** A values file that cannot be rendered: what is wrong with it, one sentence each. */
export class ValuesInvalid extends Error {
  constructor(
    file: string,
    readonly problems: readonly string[],
  ) {
    super([`${file} is not right:`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ValuesInvalid';
  }
}

const validate = new Ajv({ allErrors: true, useDefaults: true, verbose: true }).compile<Environment>(VALUES_SCHEMA);

/** The environment that a values file describes. Throws ValuesInvalid with everything that is wrong. */
export function environmentFrom(file: string): Environment {
  let values: unknown;
  try {
    values = parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ValuesInvalid(file, [(error as Error).message]);
  }
  if (!validate(values)) throw new ValuesInvalid(file, [...new Set((validate.errors ?? []).map(sentence))]);
  const problems = contradictions(values);
  if (problems.length > 0) throw new ValuesInvalid(file, problems);
  return values;
}

/** The environments whose manifests are committed: those of deploy/values, by name. */
export function committedEnvironments(): Environment[] {
  const folder = 'deploy/values';
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().map((file) => environmentFrom(path.join(folder, file)));
}

const POOLER = {
  server: 'the DNS name of PostgreSQL',
  issuer: 'a ClusterIssuer that gives certificates for names in the cluster',
};

/** What the schema cannot say. */
function contradictions({ hosts, replicas, aws, backup, pooler, replica }: Environment): string[] {
  const names = Object.entries(hosts);
  const shared = names.filter(([, name], index) => names.findIndex(([, other]) => other === name) !== index);
  return [
    ...shared.map(([host, name]) => `hosts.${host} is "${name}", as another host is: each must have a name of its own`),
    ...(aws.bucket === backup.bucket ? [`backup.bucket is "${backup.bucket}", the bucket of the documents`] : []),
    ...(pooler.enabled ? (['server', 'issuer'] as const) : [])
      .filter((name) => pooler[name] === '')
      .map((name) => `pooler.${name} is empty, and pooler.enabled is true: it must be ${POOLER[name]}`),
    ...(pooler.enabled && replica.enabled && replica.server === ''
      ? [
          'replica.server is empty, and both replica.enabled and pooler.enabled are true: it must be the DNS name of the standby',
        ]
      : []),
    ...(replicas.min > replicas.max ? [`replicas.min is ${replicas.min}, more than replicas.max`] : []),
  ];
}

/** What is wrong and what would be right, in one sentence. */
function sentence({ instancePath, keyword, params, data, parentSchema }: ErrorObject): string {
  const at = instancePath.slice(1).replaceAll('/', '.');
  const member = (name: unknown) => [at, String(name)].filter(Boolean).join('.');
  const schema = parentSchema as { description?: string; properties?: Record<string, { description?: string }> };
  const known = schema.properties ?? {};
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    return `${member(name)} is missing: it must be ${known[name]?.description}`;
  }
  if (keyword === 'additionalProperties')
    return `${member(params.additionalProperty)} is not known: there are ${Object.keys(known).join(', ')}`;
  return `${at || 'The file'} is ${JSON.stringify(data)}: it must be ${schema.description}`;
}
