import { Conflict } from '@constancia/problem-json';

/** 409 of work that is done once at a time, while it is under way. `what`: a sentence without its full stop. */
export function stillUnderWay(what: string): Conflict {
  return new Conflict(`${what}: try again when it has ended.`, {}, { 'Retry-After': '5' });
}
