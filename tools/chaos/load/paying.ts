import { sleep } from '@constancia/kernel';
import { NO_FAULTS, type PaymentProcess } from '../payments.ts';
import type { Random } from '../random.ts';
import type { Asking, Customer } from './asking.ts';

const PAUSE_MS = 400;

/** Creates a top-up and pays it, and what happens to payments afterwards: refunds, in parts too, and disputes that are won or lost. */
export async function topup(
  asking: Asking,
  baseUrl: string,
  customer: Pick<Customer, 'tenantId' | 'apiKey'>,
  payments: PaymentProcess,
  random: Random,
  { mostCop = 400_000 } = {},
): Promise<void> {
  const ref = asking.nextRef();
  const amount = Math.floor(random.between(20_000, mostCop));
  const created = await asking.create('topup', customer, ref, {
    url: `${baseUrl}/v1/billing/topup`,
    body: { amount_cop: amount, external_ref: ref },
  });
  if (!created) return;
  const checkout = String(created.preference_id);
  const drawn = random.next();
  if (drawn < 0.1) return void (await payments.pay(checkout, 'approve', amount + 1)); // never credited
  if (drawn < 0.25) await payments.pay(checkout, 'reject');
  if (drawn < 0.35) await changed(payments, await payments.pay(checkout, 'approve'), amount, random); // and again below
  const id = await payments.pay(checkout, drawn > 0.85 ? 'pending' : 'approve');
  if (drawn > 0.85 && id !== undefined) {
    await sleep(random.between(0, PAUSE_MS));
    await payments.act(id, drawn > 0.97 ? 'cancel' : 'confirm');
  }
  await changed(payments, id, amount, random);
}

/** Half of the payments stay as they are. */
async function changed(
  payments: PaymentProcess,
  id: string | undefined,
  amount: number,
  random: Random,
): Promise<void> {
  const drawn = random.next();
  if (id === undefined || drawn < 0.5) return;
  await sleep(random.between(0, PAUSE_MS));
  if (drawn < 0.6) return payments.act(id, 'refund');
  if (drawn < 0.75) {
    await payments.act(id, 'refund', Math.floor(random.between(1_000, amount)));
    return payments.act(id, 'refund', 1_000);
  }
  await payments.act(id, 'dispute');
  await sleep(random.between(0, PAUSE_MS));
  if (drawn < 0.95) await payments.act(id, 'lose');
  await sleep(random.between(0, PAUSE_MS));
  if (drawn > 0.85) await payments.act(id, 'win');
}

/** Changes what goes wrong with callbacks. @param losing whether some are never sent */
export async function callbackWeather(payments: PaymentProcess, random: Random, losing: boolean): Promise<void> {
  await payments
    .setFaults({
      duplicates: Math.floor(random.between(0, 4)),
      reorder: random.next() < 0.4,
      delay_ms: random.next() < 0.5 ? Math.floor(random.between(0, 800)) : 0,
      lose: losing && random.next() < 0.25,
      forge: random.next() < 0.3,
      unit: random.pick(['s', 'ms'] as const),
      letter_case: random.pick(['received', 'lower', 'upper'] as const),
    })
    .catch(() => undefined); // it was killed
}

/** From now on every callback is sent, once and in time. */
export const fairCallbacks = (payments: PaymentProcess): Promise<void> => payments.setFaults(NO_FAULTS);
