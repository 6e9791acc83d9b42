import { testDatabase, type TestDatabase } from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previousRelease } from './previous-release.ts';
import { breaks, readContract, type SchemaContract } from './schema-contract.ts';

const before = previousRelease().contract;

/** Rights that the previous release's roles had and none of its processes used (ADR 0128): only functions of the schemas' owners call these. */
const WITHDRAWN = [
  ...['platform', 'identity', 'compliance', 'signing'].flatMap((schema) => [
    `${schema}_app execute platform_v1.lock_accounts(p_tenant_ids uuid[])`,
    `${schema}_app execute platform_v1.charge_batch(p_items jsonb)`,
    `${schema}_app execute platform_v1.emit_events(p_events jsonb)`,
  ]),
  ...['platform', 'signing'].map(
    (schema) =>
      `${schema}_app execute platform_v1.refund(p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount integer)`,
  ),
].map((grant) => `the grant is gone: ${grant}`);

describe('expand, migrate, contract', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let now: SchemaContract;

  beforeAll(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    now = await readContract(client);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('the schemas keep what the previous release needs of them, so that it works beside this one and after a roll back', () => {
    expect(before.migrations.length).toBeGreaterThan(20);
    expect(Object.keys(before.functions).length).toBeGreaterThan(50);
    expect(breaks(before, now).filter((complaint) => !WITHDRAWN.includes(complaint))).toEqual([]);
  });

  it.each([
    ['alter table signing.template drop column name', 'the column signing.template.name is gone'],
    ['alter table signing.template rename column name to title', 'the column signing.template.name is gone'],
    ['alter table signing.template alter column page_count type bigint', 'the column signing.template.page_count was integer and is bigint'], // prettier-ignore
    ["alter table signing.template add column kind text not null", 'the new column signing.template.kind may not be left out'], // prettier-ignore
    ['alter table signing.signature_request alter column status drop default', 'the column signing.signature_request.status may not be left out'], // prettier-ignore
    ['drop function platform_v1.resolve_api_key(bytea)', 'the function platform_v1.resolve_api_key(p_hash bytea) is gone'], // prettier-ignore
    ['revoke insert on signing.template from signing_app', 'the grant is gone: signing_app insert signing.template'],
    ['delete from signing.migration', 'the migration signing '],
  ])('would see: %s', async (change, complaint) => {
    await client.query('begin');
    try {
      await client.query(change);
      expect(breaks(before, await readContract(client)).join('\n')).toContain(complaint);
    } finally {
      await client.query('rollback');
    }
  });

  it('lets a schema grow', async () => {
    await client.query('begin');
    try {
      await client.query(
        "alter table signing.template add column kind text not null default 'contract', add column note text",
      );
      await client.query('create table signing.stamp (id uuid primary key, label text not null)');
      const complaints = breaks(before, await readContract(client));
      expect(complaints.filter((complaint) => !WITHDRAWN.includes(complaint))).toEqual([]);
    } finally {
      await client.query('rollback');
    }
  });
});
