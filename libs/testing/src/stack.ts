import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ModuleSchema, urlFor } from '@constancia/persistence';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { startPaymentSimulator } from '@constancia/dev-servers/payment-simulator';
import { AppProcess } from './app-process.ts';
import { type Cluster, freePort, prepareDatabase, startCluster, TEST_PASSWORD } from './cluster.ts';
import { type Pooler, POOL_OF_TESTS, poolerWanted, startPooler } from './pooler.ts';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY } from './tenants.ts';

export const APPS = [
  'platform',
  'compliance',
  'signing',
  'sealing-worker',
  'webhook-dispatcher',
  'biometrics-worker',
] as const;
export type AppName = (typeof APPS)[number];

const SCHEMA: Record<AppName, string> = {
  platform: 'platform',
  compliance: 'compliance',
  signing: 'signing',
  'sealing-worker': 'signing',
  'webhook-dispatcher': 'platform',
  'biometrics-worker': 'identity',
};

export interface StackOptions {
  modules: ModuleSchema[];
  migrateQueue: (url: string) => Promise<void>;
  /** Redis for queues and rate limits; left out: the Postgres backend and memory. */
  redisUrl?: string;
  /**
   * Connections of a pooler to the server, for each role: the apps are given the pooler, and the server for what needs a session.
   * Left out: no pooler, unless the run of tests is the one through a pooler.
   */
  poolerSize?: number;
  /** Variables for every app. */
  env?: Record<string, string>;
  /** Apps to start; all by default. */
  apps?: readonly AppName[];
  /** Puts something of the caller's between the apps and a server: answers the address that the apps are given instead. */
  between?: (server: 'postgres' | 'kms', url: string) => Promise<string>;
  /** Whether answers are held against the committed API descriptions; false where another release answers too. */
  checked?: boolean;
  /** Commits of the new server reach the disk, as a bench's must. */
  durable?: boolean;
  /** Where the new server's data is, instead of the temporary folder. */
  dataWithin?: string;
  /** A server that has the modules' schemas already, instead of a new one; where it has a standby, that is the replica. The stack removes it in the end. */
  cluster?: Cluster;
  /** Where the development KMS keeps its keys, instead of a new folder. */
  kmsDir?: string;
}

export interface ProcessOptions {
  /** A folder with a folder per app; left out: those of `npm run build`. */
  bundles?: string | undefined;
  /** Variables beside those of every app. */
  env?: Record<string, string>;
}

/** What lets the signing app send text messages and WhatsApp messages to a mailbox. */
export function textSenders(mailboxUrl: string): Record<string, string> {
  return {
    SMS_ENDPOINT: mailboxUrl,
    SMS_ORIGINATION_IDENTITY: 'CONSTANCIA',
    WHATSAPP_URL: `${mailboxUrl}/v23.0`,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_ACCESS_TOKEN: 'development',
    WHATSAPP_TEMPLATE: 'sign_code',
  };
}

/** A whole deployment on loopback: its own PostgreSQL, KMS and mailbox, every app a process started from its bundle. */
export interface TestStack {
  baseUrl: string;
  complianceUrl: string;
  signingUrl: string;
  /** The host that signers open. */
  signUrl: string;
  /** The host where members sign in. */
  consoleUrl: string;
  /** The host where subjects of hosted sessions take part. */
  personUrl: string;
  cluster: Cluster;
  /** What the apps reach the server through, with `poolerSize`. */
  pooler: Pooler | undefined;
  kms: DevKms;
  mailbox: Mailbox;
  /** The payment provider of the platform. */
  payments: Awaited<ReturnType<typeof startPaymentSimulator>>;
  /** The folder of the objects, unless STORAGE_DIR names another. */
  objectsDir: string;
  app(name: AppName): AppProcess;
  /** Whether answers are held against the committed API descriptions. */
  checked: boolean;
  /** Another process of the same app, on ports of its own. Not started yet. */
  another(name: AppName, options?: ProcessOptions): Promise<AppProcess>;
  /** Everything that every app has logged. */
  logs(): string;
  /** Runs one statement as superuser. */
  databaseUrl(role: string): string;
  close(): Promise<void>;
}

/** Starts a deployment. Needs `npm run build` before. */
export async function startStack(options: StackOptions): Promise<TestStack> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-stack-'));
  const cluster =
    options.cluster ??
    (await startCluster({
      durable: options.durable ?? false,
      ...(options.dataWithin !== undefined && { within: options.dataWithin }),
    }));
  if (!options.cluster) await prepareDatabase(cluster.adminUrl, options.modules, options.migrateQueue);
  const kms = await startDevKms({ dir: options.kmsDir ?? path.join(folder, 'kms') });
  const mailbox = await startMailbox();
  const payment = { accessToken: 'token-of-the-simulator', webhookSecret: 'secret-of-the-simulator' };
  const payments = await startPaymentSimulator(payment);
  const between = options.between ?? ((_server, url) => Promise.resolve(url));
  const [databaseUrl, kmsUrl] = [await between('postgres', cluster.adminUrl), await between('kms', kms.url)];
  const poolSize = options.poolerSize ?? (poolerWanted ? POOL_OF_TESTS : undefined);
  const pooler = poolSize === undefined ? undefined : await startPooler({ serverUrl: databaseUrl, poolSize });
  const replicaUrl = cluster.standby?.url;
  const addressFor = (variable: string, role: string): Record<string, string> => {
    const direct = urlFor(databaseUrl, role, TEST_PASSWORD);
    const other = (kind: string) => variable.replace(/URL$/, `${kind}_URL`);
    return {
      [variable]: pooler?.through(direct) ?? direct,
      ...(pooler && { [other('DIRECT')]: direct }),
      ...(replicaUrl !== undefined && { [other('REPLICA')]: urlFor(replicaUrl, role, TEST_PASSWORD) }),
    };
  };
  const objectsDir = path.join(folder, 'objects');
  const [platformPort, compliancePort, signingPort] = [await freePort(), await freePort(), await freePort()];
  const signPort = await freePort();
  const baseUrl = `http://127.0.0.1:${platformPort}`;
  const complianceUrl = `http://127.0.0.1:${compliancePort}`;
  const signingUrl = `http://127.0.0.1:${signingPort}`;
  const signUrl = `http://127.0.0.1:${signPort}`;
  const consolePort = await freePort();
  // Browsers have passkeys for host names only.
  const consoleUrl = `http://localhost:${consolePort}`;
  const personPort = await freePort();
  const personUrl = `http://localhost:${personPort}`;
  const publicPorts: Partial<Record<AppName, number>> = {
    platform: platformPort,
    compliance: compliancePort,
    signing: signingPort,
  };

  const environment = (name: AppName, ports: Record<string, number>): Record<string, string> => ({
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    ...Object.fromEntries(Object.entries(ports).map(([port, number]) => [port, String(number)])),
    BASE_URL: baseUrl,
    COMPLIANCE_URL: complianceUrl,
    SIGNING_URL: signingUrl,
    SIGN_URL: signUrl,
    CONSOLE_URL: consoleUrl,
    PERSON_URL: personUrl,
    ...addressFor('IDENTITY_DATABASE_URL', 'identity_app'),
    ...addressFor('DATABASE_URL', `${SCHEMA[name]}_app`),
    ...(options.redisUrl
      ? { REDIS_URL: options.redisUrl }
      : { QUEUE_DATABASE_URL: urlFor(databaseUrl, 'queue_app', TEST_PASSWORD) }),
    SECRETS_KEY: TEST_SECRETS_KEY,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    KMS_ENDPOINT: kmsUrl,
    KMS_KEY_ID: kms.keyId,
    STATEMENT_KEY_ID: kms.keyId,
    ARCHIVE_KEY_ID: kms.keyId,
    DATA_KEY_ID: 'alias/constancia-data',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'development',
    AWS_SECRET_ACCESS_KEY: 'development',
    STORAGE_DIR: objectsDir,
    PAYMENT_PROVIDER_URL: payments.url,
    PAYMENT_ACCESS_TOKEN: payment.accessToken,
    PAYMENT_WEBHOOK_SECRETS: payment.webhookSecret,
    SMTP_URL: mailbox.smtpUrl,
    ...textSenders(mailbox.url),
    MAIL_FROM: 'Constancia <no-reply@constancia.example>',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // Tests mail the same few addresses again and again.
    MAILS_PER_ADDRESS: '1000000',
    MAILS_PER_SANDBOX_TENANT: '1000000',
    MINUTES_BETWEEN_LINK_MAILS: '0',
    ...options.env,
  });
  const processOf = async (name: AppName, port: number, { bundles, env }: ProcessOptions = {}): Promise<AppProcess> => {
    const opsPort = await freePort();
    const ports = {
      PORT: port,
      OPS_PORT: opsPort,
      SIGN_PORT: port === signingPort ? signPort : await freePort(),
      CONSOLE_PORT: port === platformPort ? consolePort : await freePort(),
      PERSON_PORT: port === platformPort ? personPort : await freePort(),
    };
    return new AppProcess(
      name,
      { ...environment(name, ports), ...env },
      `http://127.0.0.1:${opsPort}/readyz`,
      path.join(folder, `${name}-${opsPort}.log`),
      bundles,
    );
  };

  const apps = new Map<AppName, AppProcess>();
  for (const name of options.apps ?? APPS)
    apps.set(name, await processOf(name, publicPorts[name] ?? (await freePort())));
  const extra: AppProcess[] = [];
  const stack: TestStack = {
    baseUrl,
    complianceUrl,
    signingUrl,
    signUrl,
    consoleUrl,
    personUrl,
    cluster,
    pooler,
    kms,
    mailbox,
    payments,
    objectsDir,
    app: (name) => apps.get(name) as AppProcess,
    checked: options.checked ?? true,
    async another(name, options) {
      const added = await processOf(name, await freePort(), options);
      extra.push(added);
      return added;
    },
    logs: () => [...apps.values(), ...extra].map((app) => app.log).join('\n'),
    databaseUrl: (role) => urlFor(cluster.adminUrl, role, TEST_PASSWORD),
    async close() {
      await Promise.all([...apps.values(), ...extra].map((app) => app.end('SIGKILL')));
      await pooler?.remove();
      await Promise.all([kms.close(), mailbox.close(), payments.close(), cluster.remove()]);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all([...apps.values()].map((app) => app.start()));
  } catch (error) {
    await stack.close();
    throw error;
  }
  return stack;
}
