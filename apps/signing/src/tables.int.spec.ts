import { TABLES_WITH_ID_STATISTICS } from '@constancia/persistence';
import { entityTables, storedTables, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SIGNING_TABLES } from './tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('every table of schema signing has one entity, with its columns, types, nullability and primary key', async () => {
  expect(await entityTables(database, 'signing', SIGNING_TABLES, ['mail_taken'])).toEqual(
    await storedTables(database, 'signing'),
  );
});

it('Postgres keeps no statistics of the ids of tenants’ rows in schema signing', async () => {
  expect(await database.query(TABLES_WITH_ID_STATISTICS, ['signing'])).toEqual([]);
});
