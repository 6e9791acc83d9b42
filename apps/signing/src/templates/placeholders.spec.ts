import { describe, expect, test } from 'vitest';
import { parsePlaceholders } from './placeholders.ts';

const one = { key: 'name', page: 1, x: 72, y: 700.5, size: 11, required: false };
const pointers = (header: string) => parsePlaceholders(header).errors.map((error) => `${error.pointer} ${error.code}`);

describe('X-Placeholders', () => {
  test('a missing header means no placeholders', () => {
    expect(parsePlaceholders(undefined)).toEqual({ placeholders: [], errors: [] });
  });

  test('a size left out is 12 points', () => {
    const { placeholders } = parsePlaceholders(JSON.stringify([one, { key: 'a.b-c_D', page: 2, x: -1, y: 0 }]));
    expect(placeholders).toEqual([one, { key: 'a.b-c_D', page: 2, x: -1, y: 0, size: 12, required: false }]);
  });

  test('required and max_width are kept', () => {
    const item = { ...one, required: true, max_width: 220.5 };
    expect(parsePlaceholders(JSON.stringify([item])).placeholders).toEqual([item]);
  });

  test.each([
    ['not JSON', '[{', ['/headers/X-Placeholders wrong_format']],
    ['empty text', '', ['/headers/X-Placeholders wrong_format']],
    ['two headers joined', '[], []', ['/headers/X-Placeholders wrong_format']],
    ['an object', '{}', ['/headers/X-Placeholders wrong_type']],
    ['null', 'null', ['/headers/X-Placeholders wrong_type']],
    ['more than 8 KB', `[${' '.repeat(8192)}]`, ['/headers/X-Placeholders too_long']],
    ['201 items', JSON.stringify(Array(201).fill(0)), ['/headers/X-Placeholders too_many']],
    [
      'an item that is no object',
      '[1, null, []]',
      [0, 1, 2].map((index) => `/headers/X-Placeholders/${index} wrong_type`),
    ],
    ['a huge number', '[{"key":"a","page":1,"x":1e400,"y":0}]', ['/headers/X-Placeholders/0/x out_of_range']],
    ['page 0', JSON.stringify([{ ...one, page: 0 }]), ['/headers/X-Placeholders/0/page out_of_range']],
    ['half a page', JSON.stringify([{ ...one, page: 1.5 }]), ['/headers/X-Placeholders/0/page wrong_type']],
    ['size null', JSON.stringify([{ ...one, size: null }]), ['/headers/X-Placeholders/0/size wrong_type']],
    ['size 3.9', JSON.stringify([{ ...one, size: 3.9 }]), ['/headers/X-Placeholders/0/size out_of_range']],
    ['size 144.1', JSON.stringify([{ ...one, size: 144.1 }]), ['/headers/X-Placeholders/0/size out_of_range']],
    ['key of 65', JSON.stringify([{ ...one, key: 'k'.repeat(65) }]), ['/headers/X-Placeholders/0/key wrong_format']],
    ['key with newline', JSON.stringify([{ ...one, key: 'k\n' }]), ['/headers/X-Placeholders/0/key wrong_format']],
    ['required 1', JSON.stringify([{ ...one, required: 1 }]), ['/headers/X-Placeholders/0/required wrong_type']],
    ['max_width 3', JSON.stringify([{ ...one, max_width: 3 }]), ['/headers/X-Placeholders/0/max_width out_of_range']],
    [
      'max_width null',
      JSON.stringify([{ ...one, max_width: null }]),
      ['/headers/X-Placeholders/0/max_width wrong_type'],
    ],
    ['unknown member', JSON.stringify([{ ...one, 'a/b': 1 }]), ['/headers/X-Placeholders/0/a~1b unknown_member']],
  ])('%s is refused', (_name, header, expected) => {
    expect(pointers(header)).toEqual(expected);
  });

  test('everything wrong with every item is said at once', () => {
    const header = JSON.stringify([{ key: 'ñ', page: '1', x: null }, one, { ...one, size: 'big' }]);
    expect(pointers(header)).toEqual([
      '/headers/X-Placeholders/0/key wrong_format',
      '/headers/X-Placeholders/0/page wrong_type',
      '/headers/X-Placeholders/0/x wrong_type',
      '/headers/X-Placeholders/0/y required',
      '/headers/X-Placeholders/2/size wrong_type',
    ]);
  });

  test('200 items are accepted', () => {
    const items = Array.from({ length: 200 }, () => ({ key: 'k', page: 1, x: 0, y: 0 }));
    expect(parsePlaceholders(JSON.stringify(items)).placeholders).toHaveLength(200);
  });
});
