import { typeId, uuidv7 } from '@constancia/kernel';
import { describe, expect, it } from 'vitest';
import { pathUuid } from './path-uuid.ts';

const detailOf = (id: string): string => {
  try {
    pathUuid('sig', id);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

describe('an id in a path', () => {
  it('of the kind that belongs there is taken', () => {
    const uuid = uuidv7();
    expect(pathUuid('sig', typeId('sig', uuid))).toBe(uuid);
  });

  it('of another kind is answered with the kind that belongs there, the same for every id of that kind', () => {
    const details = [uuidv7(), uuidv7()].map((uuid) => detailOf(typeId('tpl', uuid)));
    expect(new Set(details)).toEqual(
      new Set(['No such resource: tpl_… is an id of another kind. Give one that begins with sig_.']),
    );
  });

  it.each(['sig_', 'tpl_x', 'nothing', typeId('sig', uuidv7()).toUpperCase()])(
    'that is none, such as %j, is answered as one that nobody has',
    (id) => {
      expect(detailOf(id)).toBe('No such resource.');
    },
  );
});
