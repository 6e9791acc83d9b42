import { describe, expect, it } from 'vitest';
import { isSamePerson, sameActor } from './same-actor.ts';

describe('two actors are one', () => {
  it.each([
    ['ana.oficial', 'ana.oficial'],
    ['Ana.Oficial', 'ana.oficial'],
    [' ana   oficial', 'ana oficial'],
    ['ａｎａ', 'ana'],
    ['аnа.oficial', 'ana.oficial'], // Cyrillic а
    ['ΑΝΑ', 'ANA'], // Greek capitals
    ['ana\u200b.oficial', 'ana.oficial'],
    ['Ivan', 'lvan'],
    ['1uis', 'luis'],
    ['0scar', 'oscar'],
    ['marnie', 'mamie'],
    ['jose\u0301', 'josé'],
  ])('%j and %j', (a, b) => expect(sameActor(a, b)).toBe(true));
});

describe('two actors are two', () => {
  it.each([
    ['ana', 'luis'],
    ['ana.oficial', 'ana.oficina'],
    ['jose', 'josé'],
    ['analista-1', 'analista-2'],
  ])('%j and %j', (a, b) => expect(sameActor(a, b)).toBe(false));
});

describe('two people who act are one', () => {
  const member = (id: string, actor = 'Ana Ruiz') => ({ actor, by: { kind: 'member', id } });
  const key = (actor: string) => ({ actor, by: { kind: 'key', id: 'k' } });

  it.each([
    ['members of one id, whatever they are called by then', member('1'), member('1', 'Ana Pérez'), true],
    ['members of two ids, also with one name', member('1'), member('2'), false],
    ['a member and a key that names them', member('1'), key('ANA RUIZ'), true],
    ['a member and a key that names another', member('1'), key('Luis'), false],
    ['two names of one key', key('Ana'), key('Luis'), false],
    ['one name of one key', key('Ana'), key('аna'), true],
    ['a name that was written down without its principal, and a member', { actor: 'Ana Ruiz' }, member('1'), true],
  ])('%s', (_, a, b, expected) => {
    expect(isSamePerson(a, b)).toBe(expected);
    expect(isSamePerson(b, a)).toBe(expected);
  });
});
