import { describe, expect, it } from 'vitest';
import { sameRow } from './same-row.ts';

describe('a row that the database kept although a file has it', () => {
  const archived = '{"seq": 1, "amount": -40, "note": null}';

  it('is the archived one, whatever members a later release added', () => {
    expect(sameRow('{"seq": 1, "amount": -40, "note": null}', archived)).toBe(true);
    expect(sameRow('{"seq": 1, "amount": -40, "note": null, "later": 7}', archived)).toBe(true);
  });

  it.each([
    '{"seq": 1, "amount": -41, "note": null}',
    '{"seq": 1, "amount": -40}',
    '{"seq": 1, "amount": -40, "note": "x"}',
  ])('is another one: %s', (now) => expect(sameRow(now, archived)).toBe(false));
});
