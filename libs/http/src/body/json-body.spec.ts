import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem, ValidationError } from '@constancia/problem-json';
import { JSON_LIMITS, parseJsonBody } from './json-body.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

function refusal(text: string | Buffer): Problem {
  try {
    parseJsonBody(Buffer.from(text as string));
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('was not refused');
}

describe('a JSON body', () => {
  it('is what JSON.parse makes of it, whatever it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20, stringUnit: 'grapheme' }), (text) => {
        fc.pre(!/__proto__|constructor|prototype|\\u0000|\\ud[89a-f]/i.test(text));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('may be empty', () => {
    expect(parse('')).toBeUndefined();
  });

  it.each(['{', '{"a":}', "{'a':1}", '{"a":1,}', 'undefined', 'NaN', '{"a":1}{', '\ufeff{}', '"\u0001"'])(
    'that is malformed is refused: %j',
    (text) => {
      expect(refusal(text)).toMatchObject({ slug: 'bad-request' });
    },
  );

  it('that is malformed is not quoted back', () => {
    expect(refusal('{"password": hunter2}').detail).not.toContain('hunter');
  });

  it('is UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xe1, 0x22]))).toMatchObject({ slug: 'bad-request' });
    expect(parse('"áé漢😀"')).toBe('áé漢😀');
  });

  it(`is nested ${JSON_LIMITS.depth} levels deep at most`, () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parse(nested(JSON_LIMITS.depth))).not.toThrow();
    expect(refusal(nested(JSON_LIMITS.depth + 1))).toMatchObject({ slug: 'bad-request' });
    expect(parse(`{"text":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`)).toHaveProperty('text');
  });

  it('of depth 10,000, of 500,000 brackets and of 300,000 values is refused without effort', () => {
    const started = performance.now();
    for (const text of [
      '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
      '['.repeat(500_000),
      `[${'{},'.repeat(300_000)}{}]`,
    ]) {
      expect(refusal(text)).toMatchObject({ slug: 'bad-request' });
    }
    expect(performance.now() - started).toBeLessThan(500);
  });

  it.each([
    ['{"__proto__":{"admin":true}}', '/__proto__'],
    ['{"\\u005f_proto__":1}', '/__proto__'],
    ['{"a":[{"constructor":{"prototype":{}}}]}', '/a/0/constructor'],
    ['{"a":{"prototype":1}}', '/a/prototype'],
  ])('may not hold a member that JavaScript gives a meaning: %s', (text, pointer) => {
    const problem = refusal(text);
    expect(problem).toBeInstanceOf(ValidationError);
    expect((problem as ValidationError).errors).toMatchObject([{ pointer, code: 'unknown_member' }]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('may say such words in values', () => {
    expect(parse('{"a":"__proto__","b":"constructor"}')).toEqual({ a: '__proto__', b: 'constructor' });
  });

  it.each(['{"a":"x\\u0000y"}', '{"a":["\\ud800"]}', '{"\\u0000":1}', '{"a":"\\udc00\\ud800"}'])(
    'may not hold what Postgres cannot store: %s',
    (text) => {
      expect((refusal(text) as ValidationError).errors).toMatchObject([{ code: 'invalid_characters' }]);
    },
  );

  it('may hold escaped characters that can be stored', () => {
    expect(parse('{"a":"\\u00e1\\ud83d\\ude00\\n"}')).toEqual({ a: 'á😀\n' });
  });
});
