/** Plays the month of load that standard input orders (npm run demo -- --load): a live view, and the oracle's verdict at the end. */
import { text } from 'node:stream/consumers';
import { eventually } from '@constancia/testing';
import pg from 'pg';
import { consoleLoginLink } from '../local/console-link.mjs';
import type { Query } from '../oracle/finding.ts';
import { openWork } from '../oracle/unfinished.ts';
import { type Bank, openBank } from './bank.ts';
import { showLive } from './live-view.ts';
import { MonthOfLoad } from './month-of-load.ts';
import { verdictOf } from './verdict.ts';
import { type Words, wordsIn } from './words.ts';

interface Order {
  stack: { base_url: string; compliance_url: string; signing_url: string; console_url: string };
  databaseUrl: string;
  minutes: number;
  locale: string;
}

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
  await Promise.race([played, showLive(query, month, bank, minutes, words)]);
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
  return verdictOf(query, month, bank, hosts.signingUrl, since, words);
}

async function replay({ platform }: Bank): Promise<void> {
  const { error } = await platform.POST('/webhook-deliveries/replays', {
    body: { status: ['failed', 'pending'], max: 100_000 },
  });
  if (error) throw new Error(`no replay: ${JSON.stringify(error)}`);
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
process.exit(); // the view and the receivers would go on
