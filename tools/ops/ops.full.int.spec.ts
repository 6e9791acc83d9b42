import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { typeId } from '@constancia/kernel';
import {
  bundled,
  freePort,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import {
  emitMany,
  registerEndpoint,
  runningDispatcher,
} from '../../apps/webhook-dispatcher/src/running-dispatcher.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';

let program: string;
let store: TestDatabase;
let platform: RunningPlatform;
let port: OpsPort;
let tenant: TestTenant;
let receiving: WebhookSink;

beforeAll(async () => {
  program = await bundled(path.join(import.meta.dirname, 'ops.ts'));
  store = await testDatabase();
  platform = await runningPlatform(store);
  port = await opsPortOf(platform.app);
});
afterAll(async () => {
  await port?.close();
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  [tenant, receiving] = [await testTenant(store), await webhookSink()];
  await registerEndpoint(store, tenant.id, receiving.url);
});
afterEach(() => receiving.close());

interface Ended {
  status: number;
  said: string;
}

/** The command as the person on call types it, without a terminal. */
function begin(args: string[], env: Record<string, string> = {}): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, OPS_URL_PLATFORM: port.url, OPS_TOKEN: port.token, TZ: 'America/Bogota', ...env },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ status: code ?? -1, said: said.trim() })),
  );
  return { child, ended };
}

/** Resolves when a command shows how far its run is. */
const watching = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.stdout?.on('data', (chunk: Buffer) => chunk.includes('running: 0 of 2') && resolve()));

const ops = (args: string[], env: Record<string, string> = {}): Promise<Ended> => begin(args, env).ended;

/** Failed deliveries of the tenant; answers the ids as operators see them. */
async function failed(count: number): Promise<string[]> {
  const records = await emitMany(store, tenant.id, count);
  const rows = await store.query<{ id: string }>(
    `update platform.delivery set status = 'failed', next_attempt_at = null, attempts = 12, schedule_step = 12,
       failed_at = now(), last_attempt_at = now(), last_error = 'timeout' where event_id = any ($1) returning id`,
    [records.map(({ event_id }) => event_id)],
  );
  return rows.map(({ id }) => typeId('dlv', id));
}

const pending = async () =>
  (await store.query(`select 1 from platform.delivery where tenant_id = $1 and status <> 'failed'`, [tenant.id]))
    .length;
const byFilter = (...more: string[]) => [
  ...['deliveries', 'replay', '--tenant', tenant.slug, '--reason', 'ticket 7', ...more],
];

describe('npm run ops', () => {
  it('finds failed deliveries in a table that fits, says why one failed, and sends it again', async () => {
    const [id] = (await failed(2)) as [string, string];
    const list = await ops(['deliveries', 'list', '--tenant', tenant.slug, '--status', 'failed', '--since', '2h']);
    expect(list.status).toBe(0);
    expect(list.said).toContain(id);
    expect(list.said).toContain('timeout');
    expect(Math.max(...list.said.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);

    const shown = await ops(['deliveries', 'show', id]);
    expect(shown.said).toContain('It failed for good after 12 attempts: the receiver did not answer in time.');
    expect(shown.said).toContain(`npm run ops -- deliveries replay ${id}`);
    const spanish = await ops(['deliveries', 'show', id], { LANG: 'es_CO.UTF-8' });
    expect(spanish.said).toContain('Falló en definitiva tras 12 intentos: el receptor no respondió a tiempo.');

    expect(await ops(['deliveries', 'replay', id, '--reason', 'ticket 7', '--operator', 'ana'])).toMatchObject({
      status: 0,
      said: expect.stringContaining(`${id} is queued again`) as string,
    });
    const acts = await ops(['--json', 'audit', 'list', '--by', 'ana']);
    expect(JSON.parse(acts.said)).toMatchObject({
      data: [{ type: 'delivery.replayed', operator: 'ana', data: { delivery_id: id, reason: 'ticket 7' } }],
    });
    expect((await ops(['audit', 'list', '--act', 'delivery.replayed'])).said).toMatch(/delivery\.replayed +ticket 7 /);
    expect(await pending()).toBe(1);
  });

  it('gives your user name when you give none', async () => {
    const [id] = (await failed(1)) as [string];
    await ops(['deliveries', 'replay', id, '--reason', 'ticket 7']);
    const { said } = await ops(['--json', 'audit', 'list', '--limit', '1']);
    expect(JSON.parse(said)).toMatchObject({ data: [{ operator: os.userInfo().username }] });
  });

  it('goes on from page to page', async () => {
    await failed(3);
    const args = ['deliveries', 'list', '--tenant', tenant.slug, '--limit', '2'];
    const first = await ops(args);
    const cursor = /--cursor (\S+)$/.exec(first.said)?.[1] as string;
    expect((await ops([...args, '--cursor', cursor])).said.split('\n')).toHaveLength(2);
    expect((await ops(['deliveries', 'list', '--tenant', tenant.slug, '--status', 'delivered'])).said).toBe('None.');
  });
});

describe('a replay by filter', () => {
  it('only counts in a dry run', async () => {
    await failed(3);
    const { status, said } = await ops(byFilter('--dry-run', '--rate', '20', '--since', '1h'));
    expect(said).toBe('3 deliveries match. At 20 a second: about 1 s.\nNothing was sent: this was a dry run.');
    expect(status).toBe(0);
    expect(await pending()).toBe(0);
    expect((await ops(['replays', 'list'])).said).toContain('dry run');
  });

  it('wants to know whose, and why', async () => {
    for (const [args, says] of [
      [['deliveries', 'replay', '--reason', 'x'], 'Give either the id of one delivery, or a filter'],
      [['deliveries', 'replay', 'dlv_1', '--tenant', tenant.slug, '--reason', 'x'], 'not both'],
      [['deliveries', 'replay', '--since', '2h', '--reason', 'x'], 'Say whose deliveries'],
      [['deliveries', 'replay', '--tenant', tenant.slug, '--all-tenants', '--reason', 'x'], 'Say whose deliveries'],
      [['deliveries', 'replay', '--tenant', tenant.slug], "required option '--reason <text>'"],
    ] as const) {
      const { status, said } = await ops([...args]);
      expect(status, said).toBe(2);
      expect(said).toContain(says);
    }
  });

  it('wants --yes above a hundred, and sends nothing without', async () => {
    await failed(101);
    const refused = await ops(byFilter());
    expect(refused.status).toBe(1);
    expect(refused.said).toContain('add --yes to send all 101 again. Nothing was sent.');
    expect(await pending()).toBe(0);
  });

  it('shows how far it is until everything is queued again', async () => {
    await failed(120);
    const dispatcher: INestApplicationContext = await runningDispatcher(store);
    try {
      const { status, said } = await ops(byFilter('--yes', '--rate', '500'));
      expect(said).toMatch(/run_\w+ completed: 120 queued again, 0 skipped/);
      expect(status).toBe(0);
    } finally {
      await dispatcher.close();
    }
    expect(await pending()).toBe(120);
  });

  it('goes on after Ctrl-C, which says how to cancel it; a cancelled one can go on', async () => {
    await failed(2); // and no dispatcher to work on it
    const { child, ended } = begin(byFilter());
    await watching(child);
    child.kill('SIGINT');
    const { status, said } = await ended;
    expect(status).toBe(130);
    const id = /npm run ops -- replays cancel (run_\w+)/.exec(said)?.[1] as string;
    expect((await ops(['replays', 'show', id])).said).toMatch(/status +running/);
    expect((await ops(['replays', 'cancel', id, '--reason', 'ticket 7'])).said).toMatch(/status +cancelled/);
    const again = await ops(['replays', 'cancel', id, '--reason', 'ticket 7']);
    expect([again.status, again.said]).toEqual([1, expect.stringMatching(/^ops: The run is cancelled/)]);
    const resumed = begin(['replays', 'resume', id, '--reason', 'ticket 7']);
    await watching(resumed.child);
    resumed.child.kill('SIGINT');
    expect((await resumed.ended).status).toBe(130);
    await ops(['replays', 'cancel', id, '--reason', 'ticket 7']);
  });
});

describe('what goes wrong', () => {
  it.each([
    [
      'a delivery that there is not',
      ['deliveries', 'show', 'dlv_00000000000000000000000000'],
      1,
      'There is no delivery',
    ],
    ['an id of another kind', ['replays', 'show', 'dlv_1'], 1, 'There is no replay run of this id'],
    ['an id that would be a path', ['deliveries', 'show', '../audit'], 1, 'There is no delivery'],
    ['a tenant that there is not', ['deliveries', 'list', '--tenant', 'nobody-here'], 1, 'There is no tenant'],
    ['a status that there is not', ['deliveries', 'list', '--status', 'lost'], 2, 'Allowed choices are'],
    ['a time that is none', ['deliveries', 'list', '--since', 'yesterday'], 2, 'Say how long ago'],
    ['a command that there is not', ['delivery'], 2, "unknown command 'delivery'"],
    ['a module whose address is not known', ['lists'], 2, 'set OPS_URL_COMPLIANCE'],
    ['a name that cannot be kept', ['lag', '--operator', 'señora'], 2, 'Give your name with --operator'],
  ])('is explained with what to do: %s', async (_, args, code, says) => {
    const { status, said } = await ops(args);
    expect(said).toContain(says);
    expect(said).not.toMatch(/\n +at /);
    expect(status).toBe(code);
  });

  it('traces a delivery as its event, and says where any other id leads', async () => {
    const [id] = (await failed(1)) as [string];
    const traced = await ops(['trace', id]);
    expect([traced.status, traced.said]).toEqual([0, expect.stringContaining(`${id} → `)]);
    const { said, status } = await ops(['trace', '01a2053b-ea7e-778e-9666-fa5baa0438be']);
    expect([status, said]).toEqual([1, expect.stringMatching(/If it is a request_id, the request came at .* search the logs/)]); // prettier-ignore
    expect((await ops(['trace', 'sig_01kamx6q7peqh8h51n8zq8y5hc'])).said).toContain('set OPS_URL_SIGNING');
    expect((await ops(['trace', 'cas_01kamx6q7peqh8h51n8zq8y5hc'])).said).toContain('set OPS_URL_COMPLIANCE');
    expect((await ops(['trace', 'fls_01kamx6q7peqh8h51n8zq8y5hc'])).said).toContain('knows no flow session');
    expect((await ops(['trace', 'my-request-42'])).said).toContain('is in the logs');
  });

  it('is explained when the token is not the right one', async () => {
    const { status, said } = await ops(['deliveries', 'list'], { OPS_TOKEN_PLATFORM: 'y'.repeat(32) });
    expect([status, said]).toEqual([1, expect.stringContaining('platform does not accept this token')]);
  });

  it('is explained when nobody answers, and when it is not an ops port that answers', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const away = await ops(['deliveries', 'list'], { OPS_URL_PLATFORM: nobody });
    expect([away.status, away.said]).toEqual([1, expect.stringMatching(/does not answer at \S+ \(ECONNREFUSED\).*kubectl port-forward/)]); // prettier-ignore
    const other = await ops(['deliveries', 'list'], { OPS_URL_PLATFORM: platform.url });
    expect([other.status, other.said]).toEqual([1, expect.stringContaining('but not to operators')]);
  });

  it('is explained when an id is empty', async () => {
    const { status, said } = await ops(['endpoints', 'resume', '', '--reason', 'INC-417']);
    expect([status, said]).toEqual([2, expect.stringContaining('<id> is empty')]);
  });

  it('is explained when the environment says half of what is needed', async () => {
    const half = await ops(['lag'], { OPS_URL_PLATFORM: '' });
    expect([half.status, half.said]).toEqual([2, expect.stringContaining('OPS_TOKEN is set')]);
    const other = await ops(['lag'], { OPS_TOKEN: '' });
    expect([other.status, other.said]).toEqual([2, expect.stringContaining('there is no token for it')]);
  });

  it('ends with 3 when the audit log was changed', async () => {
    const [id] = (await failed(1)) as [string];
    await ops(['deliveries', 'replay', id, '--reason', 'to have an act']);
    const whole = await ops(['audit', 'verify']);
    expect([whole.status, whole.said]).toEqual([0, expect.stringMatching(/^The audit log is correct: \d+ actions?/)]);
    const head = /(\d+:[0-9a-f]{64})$/.exec(whole.said)?.[1] as string;
    expect((await ops(['audit', 'verify', '--head', head])).status).toBe(0);
    expect((await ops(['audit', 'verify', '--head', head.replace(/:../, ':zz')])).status).toBe(2);
    await store.query('alter table platform.operator_act disable trigger keep');
    const change = (to: string, from: string) =>
      store.query('update platform.operator_act set data = replace(data, $2, $1)', [to, from]);
    await change('to hide', 'to have');
    const broken = await ops(['audit', 'verify']);
    await change('to have', 'to hide');
    await store.query('alter table platform.operator_act enable trigger keep');
    expect([broken.status, broken.said]).toEqual([3, expect.stringContaining('The audit log is NOT correct')]);
  });
});
