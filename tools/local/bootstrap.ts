/**
 * What the local stack's database needs before any module migrates: the database itself, roles and schemas, the queue's tables.
 * Reads ADMIN_DATABASE_URL, ROLES_SECRET and, when the database may have to be made, DATABASE_NAME.
 * Answers one line of JSON: the address of the database for each role, and as `superuser` the one that all of this was done with.
 */
import { appRole, bootstrap, ownerRole, SCHEMAS, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import { rolePassword } from './role-password.mjs';

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}

/** The admin address of the named database, made if absent. */
async function inDatabase(adminUrl: string, name: string | undefined): Promise<string> {
  if (!name) return adminUrl;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

const secret = required('ROLES_SECRET');
const adminUrl = await inDatabase(required('ADMIN_DATABASE_URL'), process.env.DATABASE_NAME);
const passwordOf = (role: string): string => rolePassword(secret, role);
await bootstrap(adminUrl, passwordOf);
const roles = [...SCHEMAS.flatMap((schema) => [ownerRole(schema), appRole(schema)]), 'queue_app'];
const urls = Object.fromEntries(roles.map((role) => [role, urlFor(adminUrl, role, passwordOf(role))]));
await migrateQueue(urls.queue_app as string);
console.log(JSON.stringify({ ...urls, superuser: adminUrl }));
