import type { PageSize } from '@constancia/web/pdf';

/** A box on a page of a PDF. Points, from the lower-left corner of the page as a viewer shows it. */
export interface Box {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A field that somebody places. */
export interface Placed extends Box {
  /** Of this page of the console alone: keys may be empty or the same while they are written. */
  id: string;
  key: string;
}

/** What a field may measure, in points: the least and the most. */
export interface Limits {
  width: readonly [least: number, most: number];
  height: readonly [least: number, most: number];
}

/** Beyond it no page reaches (ISO 32000-1, annex C.2). */
const FARTHEST = 14_400;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;
/** A box may stand over the edge by as much (publishable.ts of the API). */
const TOLERANCE = 0.5;

export const MILLIMETRE = 72 / 25.4;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Moved, but not over the edge of the page. Positive `dy` is upwards. */
export function movedBy<Moved extends Box>(box: Moved, dx: number, dy: number, page: PageSize): Moved {
  const x = rounded(within(box.x + dx, 0, Math.max(0, page.width - box.width)));
  const y = rounded(within(box.y + dy, 0, Math.max(0, page.height - box.height)));
  return { ...box, x, y };
}

/** Wider and higher; its upper-left corner stays. */
export function resizedBy<Resized extends Box>(
  box: Resized,
  dw: number,
  dh: number,
  page: PageSize,
  { width: [narrowest, widest], height: [lowest, highest] }: Limits,
): Resized {
  const width = rounded(within(box.width + dw, narrowest, Math.max(narrowest, Math.min(widest, page.width - box.x))));
  const top = box.y + box.height;
  const height = rounded(within(box.height + dh, lowest, Math.max(lowest, Math.min(highest, top))));
  return { ...box, width, height, y: rounded(top - height) };
}

/** Between two corners, as a pointer draws it; as large as a field must be, and on the page. */
export function boxBetween(
  page: number,
  [from, to]: readonly [{ x: number; y: number }, { x: number; y: number }],
  size: PageSize,
  limits: Limits,
): Box {
  const x = Math.min(from.x, to.x);
  const y = Math.min(from.y, to.y);
  const drawn = {
    page,
    x,
    y,
    width: within(Math.abs(from.x - to.x), ...limits.width),
    height: within(Math.abs(from.y - to.y), ...limits.height),
  };
  return movedBy({ ...drawn, width: rounded(drawn.width), height: rounded(drawn.height) }, 0, 0, size);
}

export type BoxMember = 'key' | 'page' | 'x' | 'y' | 'width' | 'height';
export type BoxFault = 'key' | 'taken' | 'number' | 'page' | 'far' | 'size';

/** What the API would refuse, by member. */
export function boxFaults(
  field: Placed,
  others: readonly Placed[],
  pages: number,
  limits: Limits,
): Partial<Record<BoxMember, BoxFault>> {
  const { id, key, page, x, y } = field;
  const faults: Partial<Record<BoxMember, BoxFault>> = {};
  if (!KEY.test(key)) faults.key = 'key';
  else if (others.some((other) => other.id !== id && other.key === key)) faults.key = 'taken';
  if (!Number.isInteger(page) || page < 1 || page > pages) faults.page = 'page';
  for (const [name, value] of [
    ['x', x],
    ['y', y],
  ] as const) {
    if (!Number.isFinite(value)) faults[name] = 'number';
    else if (Math.abs(value) > FARTHEST) faults[name] = 'far';
  }
  for (const name of ['width', 'height'] as const) {
    const [least, most] = limits[name];
    if (!Number.isFinite(field[name])) faults[name] = 'number';
    else if (field[name] < least || field[name] > most) faults[name] = 'size';
  }
  return faults;
}

/** Whether a box leaves its page: nothing with it can be published. */
export const leavesPage = ({ x, y, width, height }: Box, page: PageSize): boolean =>
  x < 0 || y < 0 || x + width > page.width + TOLERANCE || y + height > page.height + TOLERANCE;

/** A key that none of the fields has: `firma`, then `firma_2`. */
export function freeKey(stem: string, fields: readonly Placed[]): string {
  const taken = new Set(fields.map(({ key }) => key));
  for (let count = 1; ; count++) {
    const key = count === 1 ? stem : `${stem}_${count}`;
    if (!taken.has(key)) return key;
  }
}

/** Points between fields that are added one after the other. */
const GAP = 6;

const overlap = (one: Omit<Box, 'page'>, other: Omit<Box, 'page'>): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Where a new field covers none of the others on its page: from the middle of the page down, then from its top; the middle of a page that is full. */
export function freePlace(
  { width, height }: Pick<Box, 'width' | 'height'>,
  page: PageSize,
  others: readonly Box[],
): Pick<Box, 'x' | 'y'> {
  const x = Math.round(within(page.width / 3, 0, Math.max(0, page.width - width)));
  const middle = Math.round(within(page.height / 2, 0, Math.max(0, page.height - height)));
  for (const top of [middle + height, page.height - GAP]) {
    let y = top - height;
    while (y >= 0) {
      const box = { x, y, width, height };
      const covered = others.filter((other) => overlap(box, other));
      if (covered.length === 0) return { x, y: rounded(y) };
      y = Math.min(...covered.map((other) => other.y)) - GAP - height;
    }
  }
  return { x, y: middle };
}
