/** Plays the month of load that standard input orders (npm run demo -- --load): a live view, and the oracle's verdict at the end. */
import { text } from 'node:stream/consumers';
import { eventually } from '@constancia/testing';
import { sleep } from '@constancia/kernel';
import pg from 'pg';
import { consoleLoginLink } from '../local/console-link.mjs';
import { brokenDocuments } from '../oracle/documents.ts';
import { brokenInvariants } from '../oracle/broken-invariants.ts';
import type { Query } from '../oracle/finding.ts';
import { brokenPromises } from '../oracle/promises.ts';
import { brokenReceipts } from '../oracle/receipts.ts';
import { openWork } from '../oracle/unfinished.ts';
import { type Bank, openBank } from './bank.ts';
import { DAYS, isWeekend, MonthOfLoad } from './month-of-load.ts';
import { type Activity, type Moment, viewOf, type Words, wordsIn } from './words.ts';

interface Order {
  stack: { base_url: string; compliance_url: string; signing_url: string; console_url: string };
  databaseUrl: string;
  minutes: number;
  locale: string;
}

const LOOK_EVERY_MS = 1_000;
const REST_MS = 180_000;

/** What the oracle found. */
async function play({ stack, databaseUrl, minutes }: Order, words: Words): Promise<string[]> {
  const since = new Date();
  const hosts = {
    baseUrl: stack.base_url,
    complianceUrl: stack.compliance_url,
    signingUrl: stack.signing_url,
    checked: false,
    cluster: { adminUrl: databaseUrl },
  };
  console.log(words.opening);
  // What others left undone before is none of this month's.
  const before = new Set((await openWork(query)).map(({ id }) => id));
  const bank = await openBank(hosts);
  const tenant = { tenant_id: bank.tenantId, slug: bank.slug, api_key: bank.apiKey };
  console.log(words.console(await consoleLoginLink(stack, tenant, databaseUrl)));

  const month = new MonthOfLoad(hosts, bank, minutes * 60_000);
  const played = month.play();
  await Promise.race([played, show(month, bank, minutes, words)]);
  await played;

  console.log(`\n${words.rest}`);
  await replay(bank);
  await eventually(
    async () => {
      const open = (await openWork(query)).filter(({ id }) => !before.has(id));
      if (open.length > 0) throw new Error(`${open.length} things still wait, such as ${open[0]?.kind} ${open[0]?.id}`);
    },
    REST_MS,
    500,
  );
  return verdict(month, bank, hosts.signingUrl, since, words);
}

/** Draws the view over the last one, once a second; where the output is no terminal, one view a day. Does not end by itself. */
async function show(month: MonthOfLoad, bank: Bank, minutes: number, words: Words): Promise<void> {
  const live = process.stdout.isTTY;
  let drawn = 0;
  let shownDay = 0;
  let last: { at: number; done: Record<string, number> } = { at: Date.now(), done: {} };
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    if (!live && month.day === shownDay) continue;
    shownDay = month.day;
    const { moment, done } = await momentOf(month, bank, minutes, last);
    last = { at: Date.now(), done };
    const lines = viewOf(moment, DAYS, words);
    if (live && drawn > 0) process.stdout.write(`\u001B[${drawn}A\u001B[0J`);
    console.log(lines.join('\n'));
    if (!live) console.log();
    drawn = lines.length;
  }
}

const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

async function momentOf(
  month: MonthOfLoad,
  bank: Bank,
  minutes: number,
  last: { at: number; done: Record<string, number> },
): Promise<{ moment: Moment; done: Record<Activity, number> }> {
  const [counted] = await query<Record<'documents' | 'envelopes' | 'deliveries' | 'waiting', number>>(
    `select (select count(*)::int from signing.signature_request where tenant_id = $1 and status = 'signed') as documents,
            (select count(*)::int from signing.envelope where tenant_id = $1 and status = 'sealed') as envelopes,
            (select count(*)::int from platform.delivery where tenant_id = $1 and status = 'delivered') as deliveries,
            (select count(*)::int from platform.delivery where tenant_id = $1 and next_attempt_at is not null) as waiting`,
    [bank.tenantId],
  );
  const { documents = 0, envelopes = 0, deliveries = 0, waiting = 0 } = counted ?? {};
  const { statements, calls } = month.journal;
  const done: Record<Activity, number> = {
    sessions: statements.filter(({ kind }) => kind === 'session ended').length,
    screenings: calls.filter(({ kind, outcome }) => kind === 'screening' && outcome === 'acknowledged').length,
    documents,
    envelopes,
    deliveries,
  };
  const seconds = (Date.now() - last.at) / 1_000;
  const requests: Partial<Record<Activity, string>> = { sessions: 'flows', screenings: 'screenings', documents: 'signatures', envelopes: 'sign' }; // prettier-ignore
  const rows = (Object.keys(done) as Activity[]).map((name) => {
    const perSecond = (done[name] - (last.done[name] ?? 0)) / seconds;
    const kind = requests[name];
    return { name, done: done[name], perSecond, ...(kind !== undefined && { figures: month.meter.of(kind) }) };
  });
  const { day, elapsedMs, endpointFails, credits } = month;
  const moment = {
    day,
    elapsed: clockOf(elapsedMs),
    length: clockOf(minutes * 60_000),
    weekend: isWeekend(day),
    rows,
    waiting,
    endpointFails,
    credits,
  };
  return { moment, done };
}

async function replay({ platform }: Bank): Promise<void> {
  const { error } = await platform.POST('/webhook-deliveries/replays', {
    body: { status: ['failed', 'pending'], max: 100_000 },
  });
  if (error) throw new Error(`no replay: ${JSON.stringify(error)}`);
}

async function verdict(
  { journal }: MonthOfLoad,
  bank: Bank,
  signingUrl: string,
  since: Date,
  { number, ...words }: Words,
): Promise<string[]> {
  console.log(words.verdict);
  const receipts = [...bank.receiver.received, ...bank.signingReceiver.received];
  const found = [
    ...(await brokenPromises(query, journal, signingUrl)),
    ...(await brokenInvariants(query, { pending: false })),
    ...(await brokenReceipts(query, { ...bank, receipts })),
    ...(await brokenDocuments(query, signingUrl, [bank], since)),
  ];
  const of = (outcome: string) => number.format(journal.calls.filter((call) => call.outcome === outcome).length);
  const [sealed] = await query<{ count: number }>(
    `select (select count(*)::int from signing.signature_request where tenant_id = $1 and status = 'signed')
          + (select count(*)::int from signing.envelope where tenant_id = $1 and status = 'sealed') as count`,
    [bank.tenantId],
  );
  const again = journal.calls.filter(({ sent }) => sent > 1).length;
  console.log(`  ${words.calls(of('acknowledged'), of('refused'), number.format(again))}`);
  console.log(`  ${words.documents(number.format(sealed?.count ?? 0))}`);
  console.log(`  ${words.receipts(number.format(receipts.length))}`);
  if (found.length === 0) console.log(`  ${words.nothing}`);
  else console.log(`  ${words.found(number.format(found.length))}\n${found.slice(0, 20).map((one) => `    ${one}`).join('\n')}`); // prettier-ignore
  return found;
}

const order = JSON.parse(await text(process.stdin)) as Order;
const words = wordsIn(order.locale);
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 3 });
const query: Query = async (sql, params = []) => (await pool.query(sql, params as unknown[])).rows as never;
try {
  if ((await play(order, words)).length > 0) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
process.exit();
