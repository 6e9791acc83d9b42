import { among, atLeast, below, between } from './constraint.ts';
import { predicate } from './predicate.ts';
import type { Reading } from './reading.ts';
import * as type from './value-types.ts';

/** Far beyond any amount, and still exact to the cent. */
const amount = type.number(0, 1e13);
const currencies = type.listOf(type.currency);

const amountTest = (test: (amount: number) => boolean) => (reading: Reading) =>
  typeof reading.amount === 'number' ? test(reading.amount) : reading.amount;
const currencyTest = (values: readonly string[], expected: boolean) => {
  const codes = new Set(values);
  return ({ currency }: Reading) => (typeof currency === 'string' ? codes.has(currency) === expected : currency);
};

/** Conditions on an amount. It has the unit of the payload's currency: ask for the currency first. */
export const OF_TRANSACTION = {
  amount_gte: predicate<number>({
    title: { es: 'Monto igual o mayor que', en: 'Amount at least' },
    value: amount,
    example: 10_000_000,
    reads: ['amount'],
    test: (value) => amountTest((given) => given >= value),
    constraint: (value) => atLeast('amount', value),
  }),
  amount_lt: predicate<number>({
    title: { es: 'Monto menor que', en: 'Amount below' },
    value: amount,
    example: 5_000,
    reads: ['amount'],
    test: (value) => amountTest((given) => given < value),
    constraint: (value) => below('amount', value),
  }),
  amount_between: predicate<{ min: number; max: number }>({
    title: { es: 'Monto entre, ambos extremos incluidos', en: 'Amount between, both ends included' },
    value: type.ordered(type.object<{ min: number; max: number }>({ min: amount, max: amount }, ['min', 'max'])),
    example: { min: 9_000_000, max: 9_999_999 },
    reads: ['amount'],
    test: ({ min, max }) => amountTest((given) => given >= min && given <= max),
    constraint: ({ min, max }) => between('amount', min, max),
  }),
  currency_in: predicate<string[]>({
    title: { es: 'Moneda entre', en: 'Currency among' },
    value: currencies,
    example: ['COP'],
    reads: ['currency'],
    test: (values) => currencyTest(values, true),
    constraint: (values) => among('currency', values),
  }),
  currency_not_in: predicate<string[]>({
    title: { es: 'Moneda conocida y fuera de', en: 'Currency known and not among' },
    value: currencies,
    example: ['COP', 'USD'],
    reads: ['currency'],
    test: (values) => currencyTest(values, false),
    constraint: (values) => among('currency', values, true),
  }),
};
