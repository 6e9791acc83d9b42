import { spawn, spawnSync } from 'node:child_process';
import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FramedChild } from '@constancia/child-process';
import { PdfPool } from '@constancia/pdf-sealing';
import { appRole, bootstrap, ownerRole, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  APPS,
  type AppName,
  type Cluster,
  eventually,
  freePort,
  startCluster,
  TEST_PASSWORD,
  TEST_QUEUE_SEALING_KEY,
  TEST_SECRETS_KEY,
} from '@constancia/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildEngines } from '../../apps/biometrics-worker/src/engines/child-engines.ts';
import { statementMonth } from '../../apps/platform/src/billing/statements/statement-month.ts';
import { statementOf } from '../../apps/platform/src/billing/statements/statement.ts';
import type * as press from '../../apps/platform/src/billing/statements/statement-press.ts';
import { CONTRACT_PLACEHOLDERS, demoContract } from '@constancia/dev-servers/demo-contract';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { WORKSPACE } from '@constancia/bundling/workspace';

const MODULE: Record<AppName, string> = {
  platform: 'platform',
  compliance: 'compliance',
  signing: 'signing',
  'sealing-worker': 'signing',
  'webhook-dispatcher': 'platform',
  'biometrics-worker': 'identity',
};

/** What no app starts without. */
const REQUIRED: Record<AppName, string[]> = {
  platform: [
    'DATABASE_URL',
    'IDENTITY_DATABASE_URL',
    'QUEUE_DATABASE_URL',
    'SECRETS_KEY',
    'QUEUE_SEALING_KEY',
    'SMTP_URL',
    'MAIL_FROM',
    'DATA_KEY_ID',
  ],
  compliance: ['DATABASE_URL', 'QUEUE_DATABASE_URL', 'SECRETS_KEY', 'QUEUE_SEALING_KEY', 'DATA_KEY_ID'],
  signing: ['DATABASE_URL', 'QUEUE_DATABASE_URL', 'SECRETS_KEY', 'QUEUE_SEALING_KEY', 'STORAGE_DIR', 'DATA_KEY_ID'],
  'sealing-worker': [
    'DATABASE_URL',
    'QUEUE_DATABASE_URL',
    'QUEUE_SEALING_KEY',
    'KMS_KEY_ID',
    'DATA_KEY_ID',
    'STORAGE_DIR',
  ],
  'webhook-dispatcher': ['DATABASE_URL', 'QUEUE_DATABASE_URL', 'SECRETS_KEY', 'QUEUE_SEALING_KEY'],
  'biometrics-worker': ['DATABASE_URL', 'QUEUE_DATABASE_URL', 'QUEUE_SEALING_KEY', 'STORAGE_DIR', 'DATA_KEY_ID'],
};

/** Sources of the OpenTelemetry SDK and its exporter; the API alone is in every program. */
const SDK = /@opentelemetry\/(?!api\/|api$)[a-z-]+|\/tracing-sdk\./;

/** A module for --import that has the address of every module that is loaded written into the file LOADED_MODULES. */
const HOOKS = `import fs from 'node:fs';
export async function load(url, context, next) {
  fs.appendFileSync(process.env.LOADED_MODULES, url + '\\n');
  return next(url, context);
}`;
const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const LISTING_MODULES = asModule(
  `import { register } from 'node:module'; register(${JSON.stringify(asModule(HOOKS))});`,
);

describe('every bundle, alone in an empty folder', () => {
  let folder: string;
  let cluster: Cluster;
  let kms: DevKms;

  beforeAll(async () => {
    const built = spawnSync(process.execPath, [path.join(WORKSPACE, 'tools/build/build.mjs')], { encoding: 'utf8' });
    expect(built.stderr).toBe('');
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-bundles-'));
    for (const app of APPS) {
      fs.cpSync(path.join(WORKSPACE, 'dist/apps', app), path.join(folder, app), { recursive: true });
    }
    cluster = await startCluster();
    await bootstrap(cluster.adminUrl, () => TEST_PASSWORD);
    const queueUrl = urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD);
    await migrateQueue(queueUrl);
    kms = await startDevKms({ dir: path.join(folder, 'kms') });
  });

  afterAll(async () => {
    await kms?.close();
    await cluster?.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const run = (app: AppName, args: string[], env: Record<string, string>) =>
    spawnSync(process.execPath, ['main.js', ...args], {
      cwd: path.join(folder, app),
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
      timeout: 30_000,
    });

  async function showsItsApi(app: AppName, port: number): Promise<void> {
    const document = await fetch(`http://127.0.0.1:${port}/api/${app}.v1.yaml`);
    expect(document.status).toBe(200);
    expect(await document.text()).toBe(fs.readFileSync(path.join(WORKSPACE, `docs/api/${app}.v1.yaml`), 'utf8'));
    for (const file of ['', '/swagger-ui.css', '/swagger-ui-bundle.js', '/start.js']) {
      expect((await fetch(`http://127.0.0.1:${port}/docs${file}`)).status).toBe(200);
    }
  }

  it.each(APPS)('%s has at most 10 MB of JavaScript', (app) => {
    const files = fs.readdirSync(path.join(folder, app), { recursive: true, encoding: 'utf8' });
    // What Node runs: the pages that the app serves are counted by the browser rows of docs/benchmarks.md.
    const code = files.filter(
      (file) => file.endsWith('.js') && !/^(swagger-ui|web|ops-page|console-page|person-page)\b/.test(file),
    );
    const bytes = code.reduce((sum, file) => sum + fs.statSync(path.join(folder, app, file)).size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(10_000_000);
  });

  it.each(APPS)('%s names every missing variable at once and ends', (app) => {
    const { status, stderr } = run(app, [], {});
    expect(status).toBe(1);
    for (const name of REQUIRED[app]) expect(stderr).toMatch(new RegExp(`^ +${name} `, 'm'));
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it.each(['platform', 'compliance', 'signing'] as const)(
    '%s migrates its schema, and finds nothing to do the second time',
    (app) => {
      const env = {
        MIGRATION_DATABASE_URL: urlFor(cluster.adminUrl, ownerRole(app), TEST_PASSWORD),
        IDENTITY_MIGRATION_DATABASE_URL: urlFor(cluster.adminUrl, ownerRole('identity'), TEST_PASSWORD),
      };
      expect(run(app, ['migrate'], env)).toMatchObject({ status: 0, stderr: '' });
      expect(run(app, ['migrate'], env)).toMatchObject({ status: 0, stdout: `${app}: up to date\n` });
    },
  );

  it.each(['signing', 'sealing-worker'] as const)(
    '%s brings the process that fills PDFs, with its font',
    async (app) => {
      const childPath = path.join(folder, app, 'pdf-child.js');
      const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 10_000, childPath });
      try {
        const values = { nombre: 'Ελένη Жукова' }; // outside WinAnsi: drawn with the embedded font
        const filled = await pool.fill(demoContract(), CONTRACT_PLACEHOLDERS, values);
        expect(filled.subarray(0, 5).toString()).toBe('%PDF-');
        expect(filled.length).toBeGreaterThan(demoContract().length);
      } finally {
        await pool.close();
      }
    },
  );

  it('biometrics-worker brings the engines, with their models and all that is native', async () => {
    const program = path.join(folder, 'biometrics-worker', 'engine-child.js');
    const engines = new ChildEngines({ processes: 1, memoryMb: 1_024, program });
    try {
      const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#888' } })
        .jpeg()
        .toBuffer();
      const deadlineMs = 30_000;
      const document = await engines.work({ job: 'document', expected: {}, deadlineMs }, [picture]);
      expect(document).toMatchObject({ reading: { outcome: 'retry' } });
      const challenge = { mode: 'basic' as const, poses: [], issuedAt: 0, expiresAt: 0, externalId: null };
      const question = { challenge, receivedAt: [], passive: { policy: 'signal' as const } };
      const face = await engines.work({ job: 'face', thresholds: null, ...question, deadlineMs }, [picture, picture]);
      expect(face).toMatchObject({ comparison: { outcome: 'retry', reasons: ['no_face'] } });
    } finally {
      await engines.close();
    }
  });

  it('platform brings the process that decodes pictures, with its native library', async () => {
    const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    const child = await FramedChild.start(path.join(folder, 'platform/picture-child.js'), { memoryMb: 512 });
    try {
      const { head, bytes } = await child.ask({ job: 'clean' }, [picture], 10_000);
      expect(head).toEqual({ answer: 'clean', width: 800, height: 600 });
      expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    } finally {
      child.kill();
    }
  });

  it('platform brings the program that seals statements, with the font for names that the standard fonts cannot write', async () => {
    const file = pathToFileURL(path.join(folder, 'platform/statement-press.js')).href;
    const { pressStatement, selfIssuedCertificate } = (await import(file)) as typeof press;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spkiDer = publicKey.export({ format: 'der', type: 'spki' });
    const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex');
    const sign = (digest: Buffer) =>
      Promise.resolve(
        privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([digestInfo, digest])),
      );
    const certificateDer = await selfIssuedCertificate({ subject: 'CN=Test', spkiDer, sign });
    const month = statementMonth('2026-10', new Date('2026-11-24T12:00:00Z'));
    const facts = {
      statement: statementOf(month, []),
      locale: 'es-CO',
      displayName: 'Ñandú Łódź Ж',
      slug: 'test',
    } as const;
    const named = { ...facts, madeAt: new Date(), fingerprint: 'a'.repeat(64) };
    const pdf = await pressStatement(named, { certificateDer, chainDer: [] }, sign);
    const pool = new PdfPool({
      processes: 1,
      memoryMb: 512,
      deadlineMs: 10_000,
      childPath: path.join(folder, 'signing/pdf-child.js'),
    });
    try {
      expect(await pool.verify(pdf)).toMatchObject([{ valid: true }]);
      expect(pdf.includes('DejaVuSans')).toBe(true);
    } finally {
      await pool.close();
    }
  });

  /** The chunks of an app in which something of the OpenTelemetry SDK stands, by what their maps say. */
  function sdkChunks(app: AppName): string[] {
    const maps = fs.readdirSync(path.join(folder, app, 'chunks')).filter((file) => file.endsWith('.js.map'));
    return maps
      .filter((map) => {
        const text = fs.readFileSync(path.join(folder, app, 'chunks', map), 'utf8');
        return (JSON.parse(text) as { sources: string[] }).sources.some((source) => SDK.test(source));
      })
      .map((map) => map.replace(/\.map$/, ''));
  }

  /** Runs an app until it is ready, looks at it, and ends it; answers the addresses of the modules that it loaded. */
  async function modulesOf(app: AppName, extra: Record<string, string> = {}): Promise<string[]> {
    const [port, opsPort] = [await freePort(), await freePort()];
    const loaded = path.join(folder, `${app}.modules`);
    fs.rmSync(loaded, { force: true });
    const logFile = path.join(folder, `${app}.log`);
    const log = fs.openSync(logFile, 'a');
    const child = spawn(process.execPath, ['--import', LISTING_MODULES, 'main.js'], {
      cwd: path.join(folder, app),
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH ?? '',
        LOADED_MODULES: loaded,
        HOST: '127.0.0.1',
        SERVICE_ENVIRONMENT: 'sandbox',
        PORT: String(port),
        SIGN_PORT: '0',
        CONSOLE_PORT: '0',
        PERSON_PORT: '0',
        OPS_PORT: String(opsPort),
        DATABASE_URL: urlFor(cluster.adminUrl, appRole(MODULE[app]), TEST_PASSWORD),
        IDENTITY_DATABASE_URL: urlFor(cluster.adminUrl, appRole('identity'), TEST_PASSWORD),
        QUEUE_DATABASE_URL: urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD),
        SECRETS_KEY: TEST_SECRETS_KEY,
        QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
        STORAGE_DIR: path.join(folder, 'objects'),
        SMTP_URL: 'smtp://127.0.0.1:2525',
        MAIL_FROM: 'no-reply@constancia.example',
        KMS_ENDPOINT: kms.url,
        KMS_KEY_ID: kms.keyId,
        DATA_KEY_ID: 'alias/constancia-data',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'development',
        AWS_SECRET_ACCESS_KEY: 'development',
        ...extra,
      },
    });
    fs.closeSync(log);
    const exit = once(child, 'exit');
    try {
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(fs.readFileSync(logFile, 'utf8').slice(-2_000));
        expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
      }, 30_000);
      if (['platform', 'compliance', 'signing'].includes(app)) await showsItsApi(app, port);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exit).toEqual([0, null]);
    return fs.readFileSync(loaded, 'utf8').split('\n');
  }

  it.each(APPS)('%s becomes ready without the OpenTelemetry SDK, and ends with code 0 on SIGTERM', async (app) => {
    const sdk = sdkChunks(app);
    expect(sdk.length).toBeGreaterThan(0);
    const main = JSON.parse(fs.readFileSync(path.join(folder, app, 'main.js.map'), 'utf8')) as { sources: string[] };
    expect(main.sources.filter((source) => SDK.test(source))).toEqual([]);
    const modules = await modulesOf(app);
    expect(modules.some((url) => url.endsWith('/main.js'))).toBe(true);
    expect(modules.filter((url) => sdk.includes(path.basename(url)))).toEqual([]);
  });

  it('the SDK is seen when an exporter is configured', async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const modules = await modulesOf('webhook-dispatcher', endpoint);
    const sdk = sdkChunks('webhook-dispatcher');
    expect(modules.filter((url) => sdk.includes(path.basename(url))).length).toBeGreaterThan(0);
  });
});
