import { shape } from '@constancia/contracts';
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { ValidationError } from '@constancia/problem-json';
import { decodeCursor, encodeCursor, isUuid } from '@constancia/kernel';

/** Where a page begins. */
export class CursorQuery {
  @ApiPropertyOptional({ description: 'next_cursor of the page before' })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  @Matches(/^[A-Za-z0-9_-]+$/, { message: 'Give next_cursor of an earlier page as it is.' })
  cursor?: string;
}

/** Query of a list. A list's own filters extend it. */
export class PageQuery extends CursorQuery {
  @ApiPropertyOptional({ description: 'Items on a page', default: 20 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;
}

const ORDERS = ['asc', 'desc'] as const;

/** Query of a list that can be read from either end. */
export class OrderedPageQuery extends PageQuery {
  @ApiPropertyOptional({ default: 'desc', description: 'desc: the newest first' })
  @IsOptional()
  @IsIn(ORDERS)
  order: (typeof ORDERS)[number] = 'desc';
}

/** A page of a list; next_cursor is null on the last. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

const CURSOR_HELP = 'Send it as cursor to get the next page; null on the last page.';

/** What the class of a page of these views extends. `descriptions`: what the description says of its members. */
export function PageOf<View>(
  view: Type<View>,
  descriptions: { data?: string; cursor?: string } = { cursor: CURSOR_HELP },
): Type<Page<View>> {
  class ViewPage implements Page<View> {
    @ApiProperty({ maxItems: 100, type: [view], description: descriptions.data })
    data: View[];

    @ApiProperty({ ...shape.cursor, type: String, nullable: true, description: descriptions.cursor })
    next_cursor: string | null;
  }
  return ViewPage;
}

/**
 * Makes a page of rows: ask the store for `limit + 1` and hand all of them in; the one too many says that there is more.
 * `keyOf` gives a row's sort keys, which the next page's query begins after.
 */
export function page<T>(rows: T[], limit: number, keyOf: (row: T) => (string | number)[]): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

/** The sort keys in a cursor, undefined without one; a cursor that was not made here is 400. */
export function cursorKeys(query: PageQuery, length: number): (string | number)[] | undefined {
  if (query.cursor === undefined) return undefined;
  const keys = decodeCursor(query.cursor, length);
  if (keys !== null) return keys;
  throw foreignCursor();
}

/** The sort keys in a cursor, each of which must be of its kind; a cursor that was not made here is 400. */
export function keysOfCursor(
  query: PageQuery,
  kinds: readonly ((key: string | number) => boolean)[],
): (string | number)[] | undefined {
  const keys = cursorKeys(query, kinds.length);
  if (keys === undefined || keys.every((key, nth) => kinds[nth]?.(key))) return keys;
  throw foreignCursor();
}

/** The UUID that a page of a list, newest first by id, begins before; a cursor that was not made here is 400. */
export function beforeId(query: PageQuery): string | undefined {
  const [id] = cursorKeys(query, 1) ?? [];
  if (id === undefined || (typeof id === 'string' && isUuid(id))) return id;
  throw foreignCursor();
}

/** The largest number of a list by number whose column is an integer of four bytes. */
const LARGEST_INT = 2 ** 31 - 1;

/**
 * The number that a page of a list by number begins after; a cursor that was not made here is 400, and so is a number that the
 * list's column cannot hold (`largest`; by default that of four bytes).
 */
export function afterNumber(query: PageQuery, largest = LARGEST_INT): number | undefined {
  const [number] = cursorKeys(query, 1) ?? [];
  if (number === undefined) return undefined;
  if (Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= largest) return Number(number);
  throw foreignCursor();
}

function foreignCursor(): ValidationError {
  return new ValidationError([
    { pointer: '/query/cursor', code: 'wrong_format', detail: 'Give next_cursor of an earlier page as it is.' },
  ]);
}
