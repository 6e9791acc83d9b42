import fs from 'node:fs';
import path from 'node:path';
import { typeId } from '@constancia/kernel';
import { redisInstalled } from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenInvariants } from '../oracle/broken-invariants.ts';
import { brokenDocuments } from '../oracle/documents.ts';
import type { Query } from '../oracle/finding.ts';
import { emptyJournal, type Journal } from '../oracle/journal.ts';
import { brokenPromises } from '../oracle/promises.ts';
import { brokenReceipts, type Receipt } from '../oracle/receipts.ts';
import { brokenTopups } from '../oracle/topups.ts';
import { FAULTS } from './faults/all.ts';
import { Load } from './load/load.ts';
import { PLANTED } from './planted.fixture.ts';
import { Random } from './random.ts';
import { playRound, untilRest } from './round.ts';
import { Stage } from './stage.ts';

const SEED = Number(process.env.CHAOS_SEED ?? '1');
/** Of the matrix, what is over quickly. The rest is played by `npm run chaos`. */
const SHORT = ['queue-wiped', 'connections-terminated', 'kill-signing'];
/** Beyond all that a round itself waits for: the oracle says what was late. */
const ROUND_MS = 400_000;

describe('faults under load, the short form', () => {
  let stage: Stage;
  let journal: Journal;

  beforeAll(async () => {
    stage = await Stage.open(redisInstalled ? 'redis' : 'postgres');
  }, 300_000);
  afterAll(async () => {
    await stage?.close();
  });

  it.each(SHORT)(
    '%s: nothing is lost, nothing is done twice',
    async (name) => {
      const fault = FAULTS.find((each) => each.name === name)!;
      const { violations, acknowledged, waiting } = await playRound(stage, fault, { seed: SEED, seconds: 3 });
      expect(violations).toEqual([]);
      expect(acknowledged).toBeGreaterThan(5);
      expect(waiting).toBeGreaterThanOrEqual(0);
    },
    ROUND_MS,
  );

  /** What the oracle says while something is planted; the plant is taken out again. */
  async function saysOf(sql: string, ask: (query: Query) => Promise<string[]>): Promise<string[]> {
    const client = new pg.Client({ connectionString: stage.stack.cluster.adminUrl });
    await client.connect();
    const query: Query = async <Row>(text: string, params?: unknown[]) =>
      (await client.query(text, params)).rows as Row[];
    try {
      await client.query(`begin; set local session_replication_role = replica`);
      const planted = (await client.query(sql)).rowCount;
      if (!planted) throw new Error('nothing was planted');
      return await ask(query);
    } finally {
      await client.query('rollback');
      await client.end();
    }
  }

  describe('the oracle finds', () => {
    beforeAll(async () => {
      const load = new Load(stage, new Random('oracle'), `oracle-${Date.now().toString(36)}`);
      load.start(await stage.poorTenant());
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await load.stop();
      await untilRest(stage, Date.now()); // one who declines without telling is answered what the tenant sees later
      journal = load.journal;
    });

    it('nothing, as things are', async () => {
      expect(await saysOf('select 1', (query) => brokenInvariants(query, { pending: false }))).toEqual([]);
      expect(await brokenPromises(stage.query, journal, stage.stack.signingUrl)).toEqual([]);
    });

    it.each(PLANTED)('%s', async (_name, sql, says) => {
      const found = await saysOf(sql, brokenInvariants);
      expect(found).toContainEqual(expect.stringMatching(says));
    });

    it('what was acknowledged and is gone, and what was made twice for one request', async () => {
      const { ref } = journal.calls.find(({ kind }) => kind === 'signature')!;
      const ask = (query: Query) => brokenPromises(query, journal, stage.stack.signingUrl);
      expect(await saysOf(`delete from signing.signature_request where subject_ref = '${ref}'`, ask)).toEqual([
        expect.stringMatching(/^acknowledged and lost: signature/),
      ]);
      const twice = `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, credits_debited)
        select gen_random_uuid(), tenant_id, template_id, subject_ref, 40 from signing.signature_request where subject_ref = '${ref}'`;
      expect(await saysOf(twice, ask)).toEqual([expect.stringMatching(/^asked for once, made more often: signature/)]);
    });

    it('what was refused and made all the same, what never got an answer, and an answer that was taken back', async () => {
      const [call] = journal.calls.filter(({ outcome }) => outcome === 'acknowledged');
      const refused = { ...emptyJournal(), calls: [{ ...call!, outcome: 'refused' as const, ids: [] }] };
      const unanswered = { ...emptyJournal(), calls: [{ ...call!, outcome: 'unanswered' as const, ids: [] }] };
      const [statement] = journal.statements;
      const changed = { ...emptyJournal(), statements: [{ ...statement!, status: 'other' }] };
      expect(await brokenPromises(stage.query, refused, stage.stack.signingUrl)).toEqual([
        expect.stringMatching(/^refused and made/),
      ]);
      expect(await brokenPromises(stage.query, unanswered, stage.stack.signingUrl)).toEqual([
        expect.stringMatching(/^never answered/),
      ]);
      expect(await brokenPromises(stage.query, changed, stage.stack.signingUrl)).toEqual([
        expect.stringMatching(/ was answered: /),
      ]);
    });

    it('a code that was redeemed twice, and one whose tokens nobody got; not one whose answer was lost', async () => {
      const redemptions = [[200, 400], [400, 200, 200], [400, 400], [null, 400], [503, 400]]; // prettier-ignore
      expect(await brokenPromises(stage.query, { ...emptyJournal(), redemptions }, stage.stack.signingUrl)).toEqual([
        'a code was redeemed more than once: 400, 200, 200',
        'a code whose tokens nobody got: 400, 400',
      ]);
    });

    it('a delivery that never arrived, one with another body, one that is not signed, one of no event', async () => {
      const { receiver, ...tenant } = stage.healthy;
      const asked = (receipts: readonly Receipt[]) => brokenReceipts(stage.query, { ...tenant, receipts });
      const all = receiver.received;
      expect(await asked(all)).toEqual([]);
      const first = all[0]!;
      const id = first.headers['webhook-id'];
      const without = all.filter(({ headers }) => headers['webhook-id'] !== id);
      expect(await asked(without)).toEqual([`delivered, and never received: ${String(id)}`]);
      const altered = { ...first, body: `${first.body} ` };
      expect(await asked([...all, altered])).toEqual([
        expect.stringMatching(/^a delivery that its signature does not fit/),
        expect.stringMatching(/^a delivery with another body/),
      ]);
      const strange = { ...first, headers: { ...first.headers, 'webhook-id': crypto.randomUUID() } };
      expect(await asked([...all, strange])).toContainEqual(
        expect.stringMatching(/^a delivery of an event that is not/),
      );
    });

    it('a top-up with twice its credits, one without them, and a payment of no top-up', async () => {
      const { payments } = stage.payments;
      const [credited] = await stage.sql<{ entry: string; topup: string; amount: string }>(
        `select e.id as entry, t.id as topup, e.amount from platform.credit_entry e join platform.topup t on t.id = e.ref_id
          where e.ref_type = 'topup' and (select count(*) from platform.credit_entry o where o.ref_id = t.id) = 1 order by t.id limit 1`,
      );
      const { entry, topup, amount } = credited!;
      const ask = async (query: Query) =>
        (await brokenTopups(query, payments)).filter((found) => found.includes(typeId('top', topup)));
      expect(await saysOf('select 1', ask)).toEqual([]);
      const says = (credits: number) => [
        expect.stringMatching(`^a top-up that its payments do not explain: \\S+ has ${credits} credits`),
      ];
      const doubled = `update platform.credit_entry set amount = amount * 2 where id = '${entry}'`;
      expect(await saysOf(doubled, ask)).toEqual(says(2 * Number(amount)));
      expect(await saysOf(`delete from platform.credit_entry where id = '${entry}'`, ask)).toEqual(says(0));
      const ofNothing = { ...payments[0]!, id: '1', external_reference: typeId('top') };
      expect(await brokenTopups(stage.query, [...payments, ofNothing])).toContainEqual(
        expect.stringMatching(/^a payment of no top-up: 1 for top_/),
      );
    });

    it('a document that was changed on disk, and one that is gone', async () => {
      const [row] = await stage.sql<{ key: string }>(
        `select document_key as key from signing.signature_request where status = 'signed' and tenant_id = $1 order by id desc limit 1`,
        [stage.healthy.tenantId],
      );
      const folder = typeof stage.disk === 'string' ? stage.disk : stage.stack.objectsDir;
      const file = path.join(folder, row!.key);
      const kept = fs.readFileSync(file);
      const ask = () => brokenDocuments(stage.query, stage.stack.signingUrl, [stage.healthy]);
      expect(await ask()).toEqual([]);
      fs.writeFileSync(file, Buffer.concat([kept, Buffer.from('\n')]));
      expect(await ask()).toEqual([expect.stringMatching(/^a document that (was changed|is not there)/)]);
      fs.rmSync(file);
      expect(await ask()).toEqual([expect.stringMatching(/^a document that is not there/)]);
      fs.writeFileSync(file, kept);
    });
  });
});

describe('faults under load, two copies of every process', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open('postgres', { replicas: 2 });
  }, 300_000);
  afterAll(async () => {
    await stage?.close();
  });

  it.each(['kill-signing', 'postgres-promotion'])(
    '%s: nothing is lost, nothing is done twice',
    async (name) => {
      const copies = new Set(stage.copiesOf('signing').map(({ pid }) => pid));
      expect(copies.size).toBe(2);
      const fault = FAULTS.find((each) => each.name === name)!;
      const { violations, acknowledged, replicas } = await playRound(stage, fault, { seed: SEED, seconds: 3 });
      expect({ violations, replicas }).toEqual({ violations: [], replicas: 2 });
      expect(acknowledged).toBeGreaterThan(5);
      const same = stage.copiesOf('signing').filter(({ pid }) => copies.has(pid));
      expect(same).toHaveLength(name === 'kill-signing' ? 1 : 2);
    },
    ROUND_MS,
  );
});
