import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCanaries } from './canary-scan.ts';

let store: TestDatabase;

beforeAll(async () => {
  store = await testDatabase();
  await store.query('create schema scanned');
  await store.query('create table scanned.things (nth int, words text, parts jsonb, bytes bytea)');
});
afterAll(() => store?.drop());

describe('the search for canaries', () => {
  const CANARY = 'Canaria Inventada 42';
  const bytes = Buffer.from(CANARY);

  it.each([
    ['a text', ['words', `x ${CANARY} y`]],
    ['a text in another case', ['words', CANARY.toUpperCase()]],
    ['JSON', ['parts', JSON.stringify({ a: [{ b: CANARY }] })]],
    ['bytes', ['bytes', Buffer.concat([Buffer.from([0, 255]), bytes])]],
    ['hexadecimal text', ['words', `0a${bytes.toString('hex')}`]],
    ['base64 text', ['words', Buffer.from(`{"a":"${CANARY}"}`).toString('base64')]],
    ['base64 as bytes', ['bytes', Buffer.from(Buffer.from(`xy${CANARY}`).toString('base64'))]],
  ])('finds one in %s', async (_, [column, value]) => {
    await store.query(`insert into scanned.things (${column as string}) values ($1)`, [value]);
    expect(await findCanaries((sql, params) => store.query(sql, params), [CANARY])).toEqual([
      { table: 'scanned.things', column, canary: CANARY, rows: 1 },
    ]);
    await store.query('truncate scanned.things');
  });
});
