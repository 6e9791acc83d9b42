import { describe, expect, it } from 'vitest';
import { placeholdersHeader, shownWithin, templateFieldAt, templateFieldsOf } from './template-fields.ts';

const box = { page: 1, x: 500, y: 100 };
const placeholder = { ...box, key: 'city', size: 12, required: true };

describe('the fields of a template', () => {
  it('are copied as they are: one without a limit gets none', () => {
    for (const limit of [{}, { max_width: 80 }]) {
      const fields = templateFieldsOf([{ ...placeholder, ...limit }]);
      expect(JSON.parse(placeholdersHeader(fields)!)).toEqual([{ ...placeholder, ...limit }]);
    }
  });

  it('are shown on the page where they have no limit', () => {
    const [field] = templateFieldsOf([placeholder]);
    const shown = shownWithin(field!, { width: 612, height: 792 });
    expect(shown).toMatchObject({ x: 500, width: 112, unlimited: true });
  });

  it('are at most as many as the header holds, which is fewer than the API allows', () => {
    const field = { ...templateFieldAt('k', { page: 1, x: 0, y: 0 }), unlimited: true };
    expect(placeholdersHeader(Array.from({ length: 100 }, () => field))).not.toBeNull();
    expect(placeholdersHeader(Array.from({ length: 200 }, () => field))).toBeNull();
  });
});
