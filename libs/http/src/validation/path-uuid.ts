import { type IdPrefix, uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';

/** The UUID in a TypeID of the path. Throws NotFound for anything else, as for an id that nobody has. */
export function pathUuid(prefix: IdPrefix, id: string): string {
  const uuid = uuidOf(prefix, id);
  if (uuid === null) throw new NotFound();
  return uuid;
}
