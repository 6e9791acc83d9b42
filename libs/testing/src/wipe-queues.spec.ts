import { describe, expect, it } from 'vitest';
import { wipePostgresQueues } from './wipe-queues.ts';

/** A server that refuses so many statements with a code, of those that empty tables. */
function refusing(times: number, code: string) {
  const emptied: string[] = [];
  let refused = 0;
  const query = async <Row>(sql: string): Promise<Row[]> => {
    if (!sql.startsWith('truncate')) return [{ tables: 'queue.job, queue.schedule' }] as Row[];
    if (refused++ < times) throw Object.assign(new Error('refused'), { code });
    emptied.push(sql);
    return [];
  };
  return { query, emptied };
}

describe('emptying the tables of queues', () => {
  it('is tried again when a deadlock is broken at its cost', async () => {
    const { query, emptied } = refusing(3, '40P01');
    await wipePostgresQueues(query);
    expect(emptied).toEqual(['truncate queue.job, queue.schedule cascade']);
  });

  it('fails by whatever else is refused, and by a deadlock that does not end', async () => {
    await expect(wipePostgresQueues(refusing(1, '42501').query)).rejects.toThrow('refused');
    await expect(wipePostgresQueues(refusing(99, '40P01').query)).rejects.toThrow('refused');
  });
});
