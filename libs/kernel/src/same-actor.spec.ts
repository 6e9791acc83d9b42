import { describe, expect, it } from 'vitest';
import { sameActor } from './same-actor.ts';

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
