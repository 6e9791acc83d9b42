import type { Tx } from '@constancia/persistence';
import type { StatusEntry } from './status-entry.entity.ts';

/** Statuses of a list: so many that one more does not show whose credential it is of. */
export const STATUS_LIST_SIZE = 131_072;

/** Where the status of a credential stands. */
export type StatusPlace = Pick<StatusEntry, 'list_id' | 'idx'>;

/** Allots places that no credential has had, drawn at random; a list that is used up is followed by a new one. */
export function allotStatusPlaces(tx: Tx, count: number, size: number = STATUS_LIST_SIZE): Promise<StatusPlace[]> {
  return tx.query<StatusPlace>('select * from identity.allot_status_indexes($1, $2)', [count, size]);
}

/** Changes statuses (STATUS of libs/status-list). What is revoked stays revoked. */
export async function setStatuses(tx: Tx, places: readonly StatusPlace[], status: number): Promise<void> {
  if (places.length === 0) return;
  await tx.query('select identity.set_statuses($1, $2, $3)', [
    ...[places.map(({ list_id }) => list_id), places.map(({ idx }) => idx), status],
  ]);
}
