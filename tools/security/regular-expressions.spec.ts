import { expect, it } from 'vitest';
import { expressionsInCode, expressionsInDocuments, type FoundExpression, trials } from './regular-expressions.ts';

/**
 * An expression that tries every split takes twice as long with every character more: short texts show it, and a long one would never
 * end. One that begins again at each character takes four times as long for twice the text: shown by the long text.
 */
const LENGTHS = [24, 28, 2_000];
/** On a busy machine; the expressions here take less than a tenth of it. */
const MOST_MS = 1_000;

/** The slowest of three runs is the machine's; the fastest is the expression's. */
function millisecondsOf({ expression }: FoundExpression, text: string): number {
  let fastest = Infinity;
  for (let run = 0; run < 3 && fastest > MOST_MS / 10; run++) {
    expression.lastIndex = 0;
    const started = performance.now();
    text.search(expression);
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}

/** Two unbounded repetitions one inside the other: exponential, whatever is measured. `(?:a+b)*` is none: the b stands between. */
const NESTED = /\((?:\?:)?(?:\[[^\]]*\]|\\.|[^()\\[\]|])[*+]\)[*+{]/;

it('no expression of the documents and of the servers’ code repeats a repetition', { timeout: 120_000 }, () => {
  const found = [...expressionsInDocuments(), ...expressionsInCode()];
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ expression }) => NESTED.test(expression.source)).map(({ at }) => at)).toEqual([]);
  expect(NESTED.test('^(a+)+$')).toBe(true);
  expect(NESTED.test('^(?:[a-z]*)*$')).toBe(true);
});

it('no expression is slow on a text that is made to be', { timeout: 240_000 }, () => {
  const slow: string[] = [];
  for (const one of [...expressionsInDocuments(), ...expressionsInCode()]) {
    for (const length of LENGTHS) {
      const worst = Math.max(...trials(one, length).map((text) => millisecondsOf(one, text)));
      if (worst <= MOST_MS) continue;
      slow.push(`${one.at} ${one.expression}: ${worst.toFixed(0)} ms for ${length} characters`);
      break;
    }
  }
  expect(slow).toEqual([]);
});
