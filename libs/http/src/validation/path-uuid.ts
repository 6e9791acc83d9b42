import { ID_PREFIXES, type IdPrefix, uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';

/**
 * The UUID in a TypeID of the path. Throws NotFound for anything else, as for an id that nobody has; for an id of another kind it says
 * which kind belongs here, whether or not somebody has that id.
 */
export function pathUuid(prefix: IdPrefix, id: string): string {
  const uuid = uuidOf(prefix, id);
  if (uuid !== null) return uuid;
  const other = ID_PREFIXES.find((kind) => uuidOf(kind, id) !== null);
  if (other === undefined) throw new NotFound();
  throw new NotFound(`No such resource: ${other}_… is an id of another kind. Give one that begins with ${prefix}_.`);
}
