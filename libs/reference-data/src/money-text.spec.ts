import { expect, it } from 'vitest';
import { moneyText } from './money-text.ts';

it.each([
  [1_250_000, 'COP', 'es-CO', 'COP 1.250.000'],
  [1_250_000, 'COP', 'en', 'COP 1,250,000'],
  [10_500.5, 'usd', 'es-CO', 'USD 10.500,50'],
  [0.12345678, 'XBT', 'en', 'XBT 0.12345678'],
  [1_000, undefined, 'es-CO', '1.000'],
  [1_000, 'pesos', 'en', '1,000 pesos'],
])('%s of %s in %s is %s', (amount, currency, language, text) => {
  expect(moneyText(amount, currency, language).replaceAll('\u00a0', ' ')).toBe(text);
});
