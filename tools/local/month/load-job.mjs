/** A month of a bank at high speed against the running stack (tools/load). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ownDatabase } from './console-month.mjs';
import { PLACES, WORKSPACE, readJson } from '../places.mjs';

/** What a bank with many servers has beyond one client at one address, which the limits are for. */
export const LOAD_LIMITS = {
  RATE_LIMIT_TENANT: '1000000',
  RATE_LIMIT_IP: '1000000',
  RATE_LIMIT_SIGN_IN: '1000000',
  READ_BUDGET_SECONDS: '1000000',
};

/**
 * Minutes of `--minutes N`; 15 when it is left out.
 * @param {string[]} args
 * @returns {number | null} null: not a number from 0.5 to 120
 */
export function loadMinutes(args) {
  const at = args.indexOf('--minutes');
  if (at === -1) return 15;
  const minutes = Number(args[at + 1]);
  return minutes >= 0.5 && minutes <= 120 ? minutes : null;
}

/**
 * @param {number} minutes
 * @param {string} locale
 * @returns {Promise<boolean>} whether the oracle found nothing
 */
export async function playLoad(minutes, locale) {
  const stack = readJson(PLACES.stack);
  const databaseUrl = await ownDatabase(stack.tenant.tenant_id);
  const args = ['tools/run.mjs', 'tools/load/play-load.ts'];
  const child = spawn(process.execPath, args, { cwd: WORKSPACE, stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin.end(JSON.stringify({ stack, databaseUrl, minutes, locale }));
  const [code] = await once(child, 'close');
  return code === 0;
}
