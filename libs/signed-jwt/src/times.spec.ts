import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { checkTimes } from './times.ts';

const NOW = 1_800_000_000;

describe('the times of a token', () => {
  it.each<[JsonObject, string]>([
    [{}, 'none of them'],
    [{ exp: NOW + 1 }, 'one second left'],
    [{ nbf: NOW + 60, iat: NOW + 60 }, 'a clock that is a minute ahead'],
  ])('%j are accepted: %s', (payload) => {
    expect(() => checkTimes(payload, NOW)).not.toThrow();
  });

  it.each([
    [{ exp: NOW }, 'expired'],
    [{ nbf: NOW + 61 }, 'not_yet_valid'],
    [{ iat: NOW + 61 }, 'issued_at'],
    [{ exp: `${NOW + 1}` }, 'malformed'],
    [{ exp: null }, 'malformed'],
    [{ exp: Infinity }, 'malformed'],
    [{ iat: -1 }, 'malformed'],
  ])('%j are refused: %s', (payload, reason) => {
    expect(() => checkTimes(payload, NOW)).toThrow(expect.objectContaining({ reason }));
  });
});
