import { text } from 'node:stream/consumers';
import type { Database, Tx } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import { expect, it } from 'vitest';
import { CaseExports, type CsvSource, type ExportRequest } from './case-export.ts';

const SOURCE: CsvSource<{ name: string }> = {
  header: 'name\r\n',
  begin: () => Promise.resolve({ rows: 2, ros: 0 }),
  line: ({ name }) => name,
  isRos: () => false,
};
const REQUEST: ExportRequest = {
  tenantId: '00000000-0000-0000-0000-000000000001',
  actor: 'ana',
  by: { kind: 'member', id: '00000000-0000-0000-0000-000000000002', name: 'ana' },
  content: 'cases',
  from: undefined,
  to: undefined,
  excel: false,
};

/** Exports over a replica whose nth statement fails, and a primary whose statements do not. */
function exportsOver(failing: number): CaseExports {
  const server = (nthFails: number): Tx => {
    let statements = 0;
    let batches = [[{ name: 'one' }], [{ name: 'two' }], []];
    const query = async (sql: string) => {
      if (++statements === nthFails) throw new Error('conflict with recovery');
      if (sql.startsWith('select pg_try')) return [{ taken: true }];
      if (!sql.startsWith('fetch')) return [];
      const [first = [], ...others] = batches;
      batches = others;
      return first;
    };
    return { query } as unknown as Tx;
  };
  const snapshot = (_tenant: string, work: (tx: Tx) => Promise<unknown>) =>
    work(server(failing)).catch(() => work(server(Infinity))); // as Database does
  const database = { snapshot, tenant: () => Promise.resolve() } as unknown as Database;
  return new CaseExports(database, { tenant: () => Promise.resolve({}) } as unknown as PersonalData);
}

it('a file that the replica could not begin comes from the primary, whole and once', async () => {
  const { body } = await exportsOver(1).start(REQUEST, SOURCE);
  expect(await text(body)).toBe('name\r\none\r\ntwo\r\n');
});

it('a file that the replica cut off after its beginning is cut off, and not begun again', async () => {
  const { body } = await exportsOver(4).start(REQUEST, SOURCE);
  await expect(text(body)).rejects.toThrow('an export is not repeated');
});
