import { entityTables, storedTables, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IDENTITY_TABLES } from './tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('every table of schema identity has one entity, with its columns, types, nullability and primary key', async () => {
  expect(await entityTables(database, 'identity', IDENTITY_TABLES)).toEqual(await storedTables(database, 'identity'));
});
