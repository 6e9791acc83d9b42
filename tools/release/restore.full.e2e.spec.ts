import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SecretBox } from '@constancia/kernel';
import { bootstrap, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  type Cluster, eventually, prepareDatabase, redisInstalled, startCluster, startRedis, TEST_PASSWORD, TEST_SECRETS_KEY, type TestRedis, type TestStack,
  type ReceivedDelivery, webhookSink, type WebhookSink,
} from '@constancia/testing'; // prettier-ignore
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { WORKSPACE } from '@constancia/bundling/workspace';
import {
  brokenInvariants, grantCredits, httpOf, inStore, type Integrator, NO_LIMITS, requestSignature, signUp, startDeployment, uploadTemplate,
} from '../e2e/deployment.fixture.ts'; // prettier-ignore
import { envelopeIn, publishedCircuit, sendEnvelope, type SentEnvelope, signByHttp } from '../e2e/envelopes.fixture.ts';
import { type Cedula, cedulaOf, type Holder, Onboarding, readyForOnboarding } from '../e2e/identity.fixture.ts';
import { atRest } from '../e2e/steady-load.fixture.ts';
import { postgresWithTools } from './postgres-tools.ts';

const APIS = ['platform', 'compliance', 'signing'] as const;
const HOLDER: Holder = { documentNumber: '1098365217', surname1: 'MURILLO', surname2: 'TORO', givenName1: 'ELVIRA', givenName2: 'PILAR', birthDate: '1986-11-05' }; // prettier-ignore
const SCREENINGS = 12;
const NEW_KEY = Buffer.alloc(32, 11).toString('base64');
const KEY = '6f1c2f6e-7a0a-4b5e-9a41-3f8f2f6f1a77';

const native = postgresWithTools();
if (native === null) console.warn('skipped: docs/guides/back-up-and-restore.md needs pg_dump (Debian: postgresql)');

/** The commands of a chapter of a guide, as they stand. */
function commandsOf(chapter: string, guide = 'back-up-and-restore'): string {
  const whole = fs.readFileSync(path.join(WORKSPACE, `docs/guides/${guide}.md`), 'utf8');
  const text = whole.split(`\n## ${chapter}\n`)[1]?.split('\n## ')[0] as string;
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block).join('\n');
}

/** Columns of the database that hold a value which this key sealed. */
async function sealedBy(adminUrl: string, key: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column
         from information_schema.columns
        where data_type = 'bytea' and table_schema in ('platform', 'identity', 'compliance', 'signing')`,
    );
    const start = Buffer.concat([Buffer.from([1]), SecretBox.fromText(key).keyId]);
    const found: string[] = [];
    for (const { table, column } of rows) {
      const { rowCount } = await client.query(`select 1 from ${table} where substring(${column} from 1 for 5) = $1 limit 1`, [start]); // prettier-ignore
      if (rowCount) found.push(`${table}.${column}`);
    }
    return found.toSorted();
  } finally {
    await client.end();
  }
}

/** An administrator as managed servers have one: no superuser, may make roles, owns the database. */
async function makeAdministrator(cluster: Cluster): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  await client.query(
    `create role dba login createrole password '${TEST_PASSWORD}'; alter database postgres owner to dba`,
  );
  await client.end();
  return urlFor(cluster.adminUrl, 'dba', TEST_PASSWORD);
}

describe.skipIf(native === null)('docs/guides/back-up-and-restore.md', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-restore-'));
  const place = (name: string): string => path.join(folder, name);
  const clusterOf = () => startCluster({ native: native as string });
  let redis: TestRedis | undefined;
  let lost: TestStack;
  let fresh: Cluster;
  let restored: TestStack;
  let sink: WebhookSink;
  let integrator: Integrator;
  let templates: string[];
  let open: SentEnvelope;
  let signedByAll: SentEnvelope;
  let inDocument: Onboarding;
  let withHold: Onboarding;
  let replayRun: string;
  let firstAnswer: unknown;
  let cedula: Cedula;

  /** Runs a chapter as the platform team would: in a checkout, with the tools of the server's version. */
  async function follow(chapter: string, variables: Record<string, string>, guide?: string): Promise<void> {
    const env = { PATH: `${native}/bin:${process.env.PATH}`, BACKUP: place('backup'), ...variables };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commandsOf(chapter, guide)], { cwd: WORKSPACE, env });
  }

  const stackOn = (
    cluster: Cluster,
    names: { objects: string; kms: string },
    { apps, env }: { apps?: typeof APIS; env?: Record<string, string> },
  ) =>
    startDeployment({
      cluster,
      apps,
      kmsDir: place(names.kms),
      redisUrl: redis?.url,
      env: { ...NO_LIMITS, DRAIN_SECONDS: '1', STORAGE_DIR: place(names.objects), ...env },
    });

  beforeAll(async () => {
    redis = redisInstalled ? await startRedis() : undefined;
    sink = await webhookSink();
    const cluster = await clusterOf();
    await prepareDatabase(await makeAdministrator(cluster), [PLATFORM, IDENTITY, COMPLIANCE, SIGNING], migrateQueue);
    lost = await stackOn(cluster, { objects: 'objects', kms: 'kms' }, { apps: APIS });
    integrator = await signUp(lost);
    await grantCredits(lost, integrator);
    for (const module of ['seal', 'identity', 'compliance'] as const) {
      await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
        params: { path: { id: integrator.tenantId, module } },
        body: { url: sink.url },
      });
    }
    await readyForOnboarding(integrator);
  });
  afterAll(async () => {
    await lost?.close();
    await (restored ? restored.close() : fresh?.remove());
    await sink?.close();
    await redis?.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('work of every kind waits', async () => {
    templates = [await uploadTemplate(lost, integrator)];
    const circuitId = await publishedCircuit(lost, integrator, { parts: [{ role: 'tenant', order: 1 }] });
    const send = (email: string) =>
      sendEnvelope(lost, integrator, circuitId, [{ role: 'tenant', email, name: 'Inés Peña' }]);

    // Delivered once, to be replayed; then nobody delivers any more.
    const dispatcher = await lost.another('webhook-dispatcher');
    await dispatcher.start();
    for (let i = 0; i < SCREENINGS; i++) {
      await integrator.compliance.POST('/v1/screenings', {
        body: { subject_ref: `customer-${i}`, subject_type: 'natural', payload: { full_name: 'Nelly Arrieta' } },
      });
    }
    await eventually(() => expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(SCREENINGS), 30_000); // prettier-ignore
    await atRest(lost);
    await dispatcher.end('SIGKILL');
    const run = await integrator.platform.POST('/webhook-deliveries/replays', {
      body: { status: ['delivered'], module: 'compliance' },
    });
    expect(run.data).toMatchObject({ status: 'running', matched: SCREENINGS });
    replayRun = run.data?.id as string;

    // A document read, then a face to be compared, for which credits are held.
    const portrait = await sharp({ create: { width: 240, height: 300, channels: 3, background: '#b08968' } }).jpeg().toBuffer(); // prettier-ignore
    cedula = await cedulaOf(HOLDER, portrait);
    const reader = await lost.another('biometrics-worker');
    await reader.start();
    withHold = await Onboarding.open(lost, integrator, HOLDER);
    await withHold.consent();
    await withHold.document(cedula);
    expect((await withHold.settled()).body.current_step).toBe('face_match');
    await reader.end('SIGKILL');
    inDocument = await Onboarding.open(lost, integrator, HOLDER);
    await inDocument.consent();
    void withHold.face(portrait).catch(() => undefined);
    void inDocument.document(cedula).catch(() => undefined);

    open = await send('later@canary.example');
    signedByAll = await send('now@canary.example');
    await signByHttp(lost, (address) => lost.mailbox.messages(address), signedByAll.signers[0] as { sign_token: string; email: string }); // prettier-ignore
    const first = await requestSignature(lost, integrator, templates[0] as string, { key: KEY });
    firstAnswer = await first.json();
    for (let i = 0; i < 5; i++) await (await requestSignature(lost, integrator, templates[0] as string)).body?.cancel();

    await eventually(async () => expect(await waiting(lost)).toEqual({ signatures: 6, sealing: 1, runs: 2, held: 1, replays: 1 }), 30_000); // prettier-ignore
    const undelivered = await inStore(lost, `select 1 from platform.delivery where status = 'pending'`);
    expect(undelivered.length).toBeGreaterThan(0);
  });

  it('is backed up while templates come in and are asked for', async () => {
    let running = true;
    const load = (async () => {
      while (running) {
        templates.push(await uploadTemplate(lost, integrator));
        await (await requestSignature(lost, integrator, templates.at(-1) as string)).body?.cancel();
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await follow('Back up', {
      ADMIN_DATABASE_URL: urlFor(lost.cluster.adminUrl, 'dba', TEST_PASSWORD),
      STORAGE_DIR: place('objects'),
    });
    running = false;
    await load;
    fs.cpSync(place('kms'), place('kms-kept'), { recursive: true });
  });

  it('all is lost, and restored into a new server with an empty queue', async () => {
    await lost.close();
    fs.rmSync(place('objects'), { recursive: true });
    fs.rmSync(place('kms'), { recursive: true });
    await redis?.kill();
    await redis?.start();
    const cluster = await clusterOf();
    const administrator = await makeAdministrator(cluster);
    await follow('Restore', {
      NEW_DATABASE_URL: administrator,
      ROLES_SECRET: 'another than before',
      NEW_STORAGE_DIR: place('objects-new'),
    });
    await bootstrap(administrator, () => TEST_PASSWORD); // the test's processes know one password
    fresh = cluster;
  });

  it('SECRETS_KEY is replaced, as docs/guides/rotate-keys.md says', async () => {
    const sealed = await sealedBy(fresh.adminUrl, TEST_SECRETS_KEY);
    expect(sealed).toEqual(
      expect.arrayContaining(['platform.tenant.webhook_secret', 'signing.envelope_signer.token_sealed']),
    );
    const ownerUrl = (schema: string): string => urlFor(fresh.adminUrl, `${schema}_owner`, TEST_PASSWORD);
    const owners = {
      PLATFORM_OWNER_URL: ownerUrl('platform'),
      IDENTITY_OWNER_URL: ownerUrl('identity'),
      COMPLIANCE_OWNER_URL: ownerUrl('compliance'),
      SIGNING_OWNER_URL: ownerUrl('signing'),
    };
    await follow('SECRETS_KEY', { NEW_KEY, OLD_KEY: TEST_SECRETS_KEY, ...owners }, 'rotate-keys');
    expect(await sealedBy(fresh.adminUrl, TEST_SECRETS_KEY)).toEqual([]);
    expect(await sealedBy(fresh.adminUrl, NEW_KEY)).toEqual(sealed);
  });

  it('every process starts on what was restored, with the new key alone', async () => {
    restored = await stackOn(fresh, { objects: 'objects-new', kms: 'kms-kept' }, { env: { SECRETS_KEY: NEW_KEY } });
  });

  it('every pending thing goes on to its end', async () => {
    await signByHttp(restored, (address) => restored.mailbox.messages(address), open.signers[0] as { sign_token: string; email: string }); // prettier-ignore
    await atRest(restored, 90_000);
    // The platform settles what the worker has ended: the hold goes a moment after the run.
    await eventually(async () => expect(await waiting(restored)).toEqual({ signatures: 0, sealing: 0, runs: 0, held: 0, replays: 0 }), 30_000); // prettier-ignore
    const ends = await inStore<{ status: string; id: string }>(
      restored,
      'select status, id from signing.signature_request',
    );
    expect(ends.length).toBeGreaterThanOrEqual(6);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['signed']));
    for (const { id } of [signedByAll, open]) await envelopeIn(restored, integrator, id, ['sealed']);
  });

  it('sessions stand where their subjects left them, and go on', async () => {
    const { platform } = clientsOf(restored);
    expect(await platform(`/v1/flows/sessions/${withHold.id}`)).toMatchObject({
      status: 'in_progress',
      current_step: 'face_match',
    });
    // Read from the restored pictures, unless its time was over before anybody could: then the subject sends it again.
    const device = inDocument.on(restored);
    if ((await device.settled()).body.current_step === 'document_upload') await device.document(cedula);
    expect((await device.settled()).body).toMatchObject({ status: 'in_progress', current_step: 'face_match' });
  });

  it('documents verify, and no row names an object that is not there', async () => {
    const { signing } = clientsOf(restored);
    const { data } = await signing('/v1/signatures?limit=100');
    for (const { id } of data as { id: string }[]) {
      const verdict = await signing(`/v1/signatures/${id}/verify`, 'POST');
      expect(verdict).toMatchObject({ valid: true });
    }
    const listed = (await signing('/v1/templates?limit=100')).data as { id: string }[];
    expect(listed.length).toBeGreaterThan(0);
    for (const { id } of listed) await signing(`/v1/templates/${id}/document`);
  });

  it('what was announced and paid before still holds: keys, webhooks, Idempotency-Keys, the ledger', async () => {
    const again = await requestSignature(restored, integrator, templates[0] as string, { key: KEY });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(firstAnswer);
    expect(await clientsOf(restored).platform(`/webhook-deliveries/replays/${replayRun}`)).toMatchObject({
      status: 'completed',
      replayed: SCREENINGS,
    });
    const events = await inStore<{ event_id: string }>(restored, 'select event_id from platform.event');
    const delivered = new Set(sink.received.map(({ headers }) => headers['webhook-id']));
    expect(events.filter(({ event_id }) => !delivered.has(event_id))).toEqual([]);
    const last = sink.received.at(-1) as ReceivedDelivery;
    expect(last.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', integrator.webhookSecret).update(last.body).digest('hex')}`,
    );
    expect(await brokenInvariants(restored)).toEqual([]);
  });

  /** Asks a host of a stack with the tenant's key; throws unless it answers 2xx. */
  function clientsOf(stack: TestStack) {
    const ask =
      (host: string) =>
      async (route: string, method = 'GET'): Promise<Record<string, unknown>> => {
        const response = await httpOf(stack)(`${host}${route}`, {
          method,
          headers: { 'X-API-Key': integrator.apiKey },
        });
        if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
        const json = response.headers.get('content-type')?.includes('json');
        return json ? ((await response.json()) as Record<string, unknown>) : (await response.body?.cancel(), {});
      };
    return { platform: ask(stack.baseUrl), signing: ask(stack.signingUrl) };
  }
});

interface Waiting {
  signatures: number;
  sealing: number;
  runs: number;
  held: number;
  replays: number;
}

async function waiting(stack: TestStack): Promise<Waiting> {
  const [row] = await inStore<Waiting>(
    stack,
    `select (select count(*)::int from signing.signature_request where status = 'pending') as signatures,
            (select count(*)::int from signing.envelope where status = 'sealing') as sealing,
            (select count(*)::int from identity.step_run where status in ('queued', 'running')) as runs,
            (select count(*)::int from platform.credit_hold where status = 'held') as held,
            (select count(*)::int from platform.replay_run where status = 'running') as replays`,
  );
  return row as Waiting;
}
