import { randomUUID } from 'node:crypto';
import { approveCheckout } from '../topup-job.mjs';
import { mailOf, MEMBERS } from './people.ts';
import { answered, type Shop, until } from './shop.ts';

const AMOUNT_COP = 400_000;

/** Colleagues; the mails that invite them are in the mailbox of the stack. */
export async function inviteMembers({ platform }: Shop): Promise<void> {
  for (const [role, name] of Object.entries(MEMBERS) as [keyof typeof MEMBERS, string][]) {
    await answered(platform.POST('/v1/members', { body: { email: mailOf(name), name, role } }));
  }
}

/** Credits for the month, paid at the simulator; without it the tenant has what sign-up gave. */
export async function buyCredits({ platform, stack }: Shop): Promise<void> {
  if (!stack.payments_url) return;
  const params = { header: { 'Idempotency-Key': randomUUID() } };
  const topup = await answered(platform.POST('/v1/billing/topup', { params, body: { amount_cop: AMOUNT_COP } }));
  await approveCheckout(topup);
  await until('crediting the top-up', async () => {
    const { status } = await answered(platform.GET('/v1/billing/topups/{id}', { params: { path: { id: topup.id } } }));
    return status === 'credited' || undefined;
  });
}
