import { cursorKeys, type PageQuery } from '@constancia/http';
import { isUuid } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';

/** The UUID that a page of a list, newest first, begins after. Throws ValidationError for a cursor that was not made here. */
export function beforeId(query: PageQuery): string | undefined {
  const [id] = cursorKeys(query, 1) ?? [];
  if (id === undefined || (typeof id === 'string' && isUuid(id))) return id;
  throw new ValidationError([
    { pointer: '/query/cursor', code: 'wrong_format', detail: 'Give next_cursor of an earlier page as it is.' },
  ]);
}
