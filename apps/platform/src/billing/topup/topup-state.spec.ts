import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMismatched, isNewer, isPaidTwice, type SeenPayment, statusOf, target, targetOf } from './topup-state.ts';

const QUOTED = { amount_cop: 100_000, amount_credits: 2_425 };
const AT = new Date('2026-11-24T12:00:00Z');

const payment = (facts: Partial<SeenPayment> = {}): SeenPayment => ({
  paymentId: '1',
  status: 'approved',
  statusDetail: 'accredited',
  currency: 'COP',
  amountCents: 10_000_000,
  refundedCents: 0,
  updatedAt: AT,
  ...facts,
});

const TABLE: [about: string, facts: Partial<SeenPayment>, credits: number, status: string][] = [
  ['approved', {}, 2_425, 'credited'],
  ['pending', { status: 'pending' }, 0, 'pending'],
  ['authorized', { status: 'authorized' }, 0, 'pending'],
  ['rejected', { status: 'rejected' }, 0, 'rejected'],
  ['cancelled', { status: 'cancelled' }, 0, 'rejected'],
  ['of a status that nobody knows', { status: 'new_word' }, 0, 'rejected'],
  ['refunded by half', { refundedCents: 5_000_000 }, 1_212, 'part_reversed'],
  ['refunded but for one peso', { refundedCents: 9_999_900 }, 0, 'reversed'],
  ['refunded', { status: 'refunded', refundedCents: 10_000_000 }, 0, 'reversed'],
  ['in dispute', { status: 'in_mediation' }, 2_425, 'credited'],
  ['charged back', { status: 'charged_back', statusDetail: 'settled' }, 0, 'reversed'],
  ['charged back, undecided', { status: 'charged_back', statusDetail: 'in_process' }, 0, 'reversed'],
  ['charged back, and won', { status: 'charged_back', statusDetail: 'reimbursed' }, 2_425, 'credited'],
  ['one peso short', { amountCents: 9_999_900 }, 0, 'amount_mismatch'],
  ['one centavo over', { amountCents: 10_000_001 }, 0, 'amount_mismatch'],
  ['in another currency', { currency: 'USD' }, 0, 'amount_mismatch'],
  [
    'of another amount, given back',
    { amountCents: 9_000_000, status: 'refunded', refundedCents: 9_000_000 },
    0,
    'rejected',
  ],
];

describe('what a payment is worth', () => {
  it.each(TABLE)('%s', (_, facts, credits, status) => {
    const one = payment(facts);
    expect(target(one, QUOTED)).toBe(credits);
    expect(statusOf([one], QUOTED, { isExpired: false })).toBe(status);
  });

  it('never exceeds the quote, and never is negative', () => {
    const any = fc.record({
      status: fc.constantFrom('pending', 'approved', 'in_mediation', 'charged_back', 'refunded', 'rejected'),
      statusDetail: fc.constantFrom('settled', 'reimbursed', ''),
      currency: fc.constantFrom('COP', 'USD'),
      amountCents: fc.constantFrom(10_000_000, 9_999_999, 1),
      refundedCents: fc.integer({ min: 0, max: 20_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(any), (payments) => {
        const credits = targetOf(payments.map(payment), QUOTED);
        expect(credits >= 0 && credits <= QUOTED.amount_credits).toBe(true);
      }),
    );
  });
});

describe('a top-up', () => {
  it('expires when nobody has paid in time, unless a payment is under way', () => {
    expect(statusOf([], QUOTED, { isExpired: false })).toBe('pending');
    expect(statusOf([], QUOTED, { isExpired: true })).toBe('expired');
    expect(statusOf([payment({ status: 'rejected' })], QUOTED, { isExpired: true })).toBe('expired');
    expect(statusOf([payment({ status: 'pending' })], QUOTED, { isExpired: true })).toBe('pending');
  });

  it('is sold once, however often it is paid', () => {
    const twice = [payment(), payment({ paymentId: '2' })];
    expect(targetOf(twice, QUOTED)).toBe(2_425);
    expect(isPaidTwice(twice, QUOTED)).toBe(true);
    const oneRefunded = [payment({ status: 'refunded', refundedCents: 10_000_000 }), payment({ paymentId: '2' })];
    expect(targetOf(oneRefunded, QUOTED)).toBe(2_425);
    expect(isPaidTwice(oneRefunded, QUOTED)).toBe(false);
  });

  it('is credited by a second payment after a refused one', () => {
    const tries = [payment({ status: 'rejected' }), payment({ paymentId: '2' })];
    expect(statusOf(tries, QUOTED, { isExpired: true })).toBe('credited');
  });

  it('shows a mismatch while that money is held', () => {
    expect(isMismatched([payment({ amountCents: 1 })], QUOTED)).toBe(true);
    expect(isMismatched([payment({ amountCents: 1, refundedCents: 1 })], QUOTED)).toBe(false);
  });
});

describe('the newer of two snapshots', () => {
  const later = new Date(AT.getTime() + 1);
  it.each([
    ['nothing was seen', payment(), undefined, true],
    ['it is later', payment({ updatedAt: later, status: 'pending' }), payment(), true],
    ['it is earlier', payment(), payment({ updatedAt: later, status: 'pending' }), false],
    ['it is the same', payment(), payment(), false],
    ['it went farther in the same millisecond', payment({ status: 'charged_back' }), payment(), true],
    ['it went less far in the same millisecond', payment({ status: 'pending' }), payment(), false],
    ['more was refunded in the same millisecond', payment({ refundedCents: 2 }), payment({ refundedCents: 1 }), true],
    [
      'the dispute was won in the same millisecond',
      payment({ status: 'charged_back', statusDetail: 'reimbursed' }),
      payment({ status: 'charged_back', statusDetail: 'settled' }),
      true,
    ],
  ])('when %s', (_, snapshot, seen, expected) => expect(isNewer(snapshot, seen)).toBe(expected));
});
