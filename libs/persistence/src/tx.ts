import type { EntityManager } from 'typeorm';

/**
 * TypeORM's entity manager as far as a call is one statement. `save` and `remove` are left out: they read first, and open a transaction of
 * their own when TypeORM began none.
 */
export type Entities = Pick<
  EntityManager,
  | 'find'
  | 'findBy'
  | 'findOne'
  | 'findOneBy'
  | 'existsBy'
  | 'countBy'
  | 'maximum'
  | 'insert'
  | 'update'
  | 'delete'
  | 'createQueryBuilder'
>;

/** What a unit of work sees of its transaction. */
export interface Tx {
  /** Runs one statement; answers its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
  /** Plain reads and writes of entities, in this transaction. */
  readonly manager: Entities;
}
