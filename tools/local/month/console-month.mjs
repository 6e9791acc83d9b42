/** Fills the demo tenant of the running stack with a month, once, and answers a link that signs its owner in to the console. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { consoleLoginLink } from '../console-link.mjs';
import { PLACES, WORKSPACE, readJson, writePrivate } from '../places.mjs';

/**
 * @param {{ onFill: () => void }} steps onFill is called before the month is filled, not when it is there already
 * @returns {Promise<string>} the link
 * @throws Error with one sentence
 */
export async function consoleMonth({ onFill }) {
  const stack = readJson(PLACES.stack);
  const databaseUrl = superuserUrl();
  const { tenant_id } = stack.tenant;
  const month = readJson(PLACES.month);
  if (month?.tenant_id !== tenant_id) {
    onFill();
    writePrivate(PLACES.month, { tenant_id, filled: false });
    await fill({ stack, databaseUrl });
    writePrivate(PLACES.month, { tenant_id, filled: true });
  } else if (!month.filled) {
    throw new Error('an earlier "npm run demo -- --console" was interrupted; begin again: npm run stop, then npm start -- --fresh'); // prettier-ignore
  }
  return consoleLoginLink(stack, stack.tenant, databaseUrl);
}

/** The database of the stack, as its superuser: what the launcher made it with. */
function superuserUrl() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const url = new URL(readJson(PLACES.operator).compliance_database_url);
  url.username = 'postgres';
  url.password = readJson(PLACES.secrets).POSTGRES_PASSWORD;
  return url.toString();
}

async function fill(order) {
  const args = ['tools/run.mjs', 'tools/local/month/fill-month.ts'];
  const child = spawn(process.execPath, args, { cwd: WORKSPACE, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  child.stdin.end(JSON.stringify(order));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(said.trim());
}
