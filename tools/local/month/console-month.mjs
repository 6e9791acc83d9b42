/** Fills the demo tenant of the running stack with a month, once, and answers a link that signs its owner in to the console. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { consoleLoginLink } from '../console-link.mjs';
import { isLocalDatabase } from '../local-database.mjs';
import { PLACES, WORKSPACE, readJson, writePrivate } from '../places.mjs';

const BEGIN_AGAIN = 'begin again: npm run stop, then npm start -- --fresh';

/**
 * @param {{ onFill: () => void }} steps onFill is called before the month is filled, not when it is there already
 * @returns {Promise<string>} the link
 * @throws Error with one sentence
 */
export async function consoleMonth({ onFill }) {
  const stack = readJson(PLACES.stack);
  const { tenant_id } = stack.tenant;
  const databaseUrl = await ownDatabase(tenant_id);
  const month = readJson(PLACES.month);
  if (month?.tenant_id !== tenant_id) {
    onFill();
    writePrivate(PLACES.month, { tenant_id, filled: false });
    await fill({ stack, databaseUrl });
    writePrivate(PLACES.month, { tenant_id, filled: true });
  } else if (!month.filled) {
    throw new Error(`an earlier "npm run demo -- --console" was interrupted; ${BEGIN_AGAIN}`);
  }
  return consoleLoginLink(stack, stack.tenant, databaseUrl);
}

/**
 * The database of the stack as its superuser, as the launcher wrote it down: on this machine, and with the demo tenant in it. The
 * month rewrites the tenant's past there, without triggers; the load of a bank is checked against it.
 * @param {string} tenantId
 */
export async function ownDatabase(tenantId) {
  const databaseUrl = readJson(PLACES.operator)?.superuser_database_url;
  if (!databaseUrl || !isLocalDatabase(databaseUrl)) {
    throw new Error('this demo needs a database on this machine, which "npm start" has set up; without DATABASE_URL it brings its own'); // prettier-ignore
  }
  const { default: pg } = await import('pg'); // a package: the launcher starts before they are installed
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from platform.tenant where id = $1', [tenantId]);
    if (rowCount === 0) throw new Error(`the database of the stack has no demo tenant; ${BEGIN_AGAIN}`);
  } finally {
    await client.end();
  }
  return databaseUrl;
}

async function fill(order) {
  const args = ['tools/run.mjs', 'tools/local/month/fill-month.ts'];
  const child = spawn(process.execPath, args, { cwd: WORKSPACE, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  child.stdin.end(JSON.stringify(order));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${said.trim()}; ${BEGIN_AGAIN}`);
}
