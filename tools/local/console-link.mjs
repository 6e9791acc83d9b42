import { createHash, randomInt } from 'node:crypto';
import { call } from './main-job.mjs';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const VALID_SECONDS = 24 * 3_600;

/**
 * A link with which the owner of the demo tenant signs in to the console, once. Made in the database as the platform does it for an
 * invitation: no API makes links for others.
 */
export async function consoleLoginLink({ base_url, console_url }, tenant, databaseUrl) {
  const { answer } = await call('GET', `${base_url}/tenants/${tenant.tenant_id}`, { key: tenant.api_key, expect: 200 });
  const token = `lgn_${Array.from({ length: 43 }, () => DIGITS[randomInt(DIGITS.length)]).join('')}`;
  const { default: pg } = await import('pg'); // a package: the launcher starts before they are installed
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('select platform.issue_login_link($1, $2, $3, $4)', [
      tenant.tenant_id,
      answer.owner_email,
      createHash('sha256').update(token).digest(),
      VALID_SECONDS,
    ]);
  } finally {
    await client.end();
  }
  return `${console_url}/login#token=${token}`;
}
