import { Column, Entity, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entityTables, storedTables } from './schema-tables.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

@Entity({ schema: 'planted', name: 'note' })
class Note {
  @PrimaryColumn('uuid') id: string;
  @Column('text', { array: true }) words: string[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) read_at: Date | null;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.query(
    `create schema planted;
     create table planted.note (id uuid primary key, words text[] not null, read_at timestamptz(3))`,
  );
});
afterAll(() => database.drop());

describe('entities and tables', () => {
  it('are the same for a table and its entity', async () => {
    expect(await entitiesOf(Note)).toEqual(await storedTables(database, 'planted'));
  });

  it.each([
    ['a column that the entity lacks', 'add column other integer', 'drop column other'],
    ['a column that the table lacks', 'drop column read_at', 'add column read_at timestamptz(3)'],
    ['another type', 'alter column words type text', `alter column words type text[] using '{}'`],
    ['another precision', 'alter column read_at type timestamptz', 'alter column read_at type timestamptz(3)'],
    ['a column that may be null', 'alter column words drop not null', 'alter column words set not null'],
    ['another primary key', 'drop constraint note_pkey', 'add primary key (id)'],
  ])('differ by %s', async (_, change, back) => {
    await database.query(`alter table planted.note ${change}`);
    try {
      expect(await entitiesOf(Note)).not.toEqual(await storedTables(database, 'planted'));
    } finally {
      await database.query(`alter table planted.note ${back}`);
    }
  });

  it('differ by a table without an entity', async () => {
    await database.query('create table planted.other (id uuid)');
    expect(Object.keys(await storedTables(database, 'planted')).sort()).toEqual(['note', 'other']);
    await database.query('drop table planted.other');
  });

  it('are refused when a table has two entities', async () => {
    class Again extends Note {}
    Entity({ schema: 'planted', name: 'note' })(Again);
    await expect(entitiesOf(Note, Again)).rejects.toThrow('not the only entity of note');
  });
});

const entitiesOf = (...entities: NewableFunction[]) =>
  entityTables({ owner: () => database.adminUrl }, 'planted', entities);
