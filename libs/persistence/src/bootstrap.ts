import pg from 'pg';
import { LIMITS } from './limits.ts';
import { appRole, ownerRole } from './tenant-table.ts';

/** Every schema that a deployment has. `queue` belongs to the queue backend and holds hints only. */
export const SCHEMAS = ['platform', 'identity', 'compliance', 'signing'] as const;

/**
 * Makes what a superuser must make, once and again without harm: a schema, an owner role and an app role per module, the
 * published schema platform_v1 and the queue's schema. Nothing here knows a table.
 *
 * @param adminUrl superuser address of the database
 * @param password of a role, by role name
 */
export async function bootstrap(adminUrl: string, password: (role: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'bootstrap' });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('bootstrap'))");
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const database = pg.escapeIdentifier((rows[0] as { name: string }).name);
    await client.query(`revoke all on database ${database} from public; revoke all on schema public from public`);
    for (const schema of SCHEMAS) {
      for (const role of [ownerRole(schema), appRole(schema)]) await makeRole(client, role, password(role), database);
      await limitRole(client, appRole(schema));
      await makeSchema(client, schema, ownerRole(schema));
      await client.query(`grant usage on schema ${schema} to ${appRole(schema)}`);
    }
    await makeSchema(client, 'platform_v1', ownerRole('platform'));
    const readers = SCHEMAS.flatMap((schema) => [ownerRole(schema), appRole(schema)]).join(', ');
    await client.query(`grant usage on schema platform_v1 to ${readers}`);
    await makeRole(client, 'queue_app', password('queue_app'), database);
    await makeSchema(client, 'queue', 'queue_app');
  } finally {
    await client.end();
  }
}

async function makeRole(client: pg.Client, role: string, password: string, database: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${role} noinherit nosuperuser nocreatedb nocreaterole`);
  await client.query(`alter role ${role} login password ${pg.escapeLiteral(password)}`);
  await client.query(`grant connect, temporary on database ${database} to ${role}`);
}

/** What a process sends when it connects holds for its role as well: a pooler's connections are opened without it. */
async function limitRole(client: pg.Client, role: string): Promise<void> {
  for (const [name, ms] of Object.entries(LIMITS)) await client.query(`alter role ${role} set ${name} = ${ms}`);
}

async function makeSchema(client: pg.Client, schema: string, owner: string): Promise<void> {
  // A managed superuser is often no real one: it must be a member of the owner to give it a schema.
  await client.query(`grant ${owner} to current_user`);
  await client.query(`create schema if not exists ${schema} authorization ${owner}`);
}

/** The address of the same database for another role. */
export function urlFor(adminUrl: string, role: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.toString();
}
