import { isDeepStrictEqual } from 'node:util';

/** Whether a row, as the database writes it now, is the archived one: members that a later release added do not count. */
export function sameRow(now: string, archived: string): boolean {
  const row = JSON.parse(now) as Record<string, unknown>;
  const members = Object.entries(JSON.parse(archived) as Record<string, unknown>);
  return members.every(([name, value]) => isDeepStrictEqual(row[name], value));
}
