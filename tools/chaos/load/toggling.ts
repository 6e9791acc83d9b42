import { EVENT_MODULES } from '@constancia/contracts';
import { endpointIdOf } from '@constancia/events';
import { sleep, typeId } from '@constancia/kernel';
import type { Random } from '../random.ts';
import type { Asking, Customer } from './asking.ts';

/** Disables one of the tenant's endpoints for a moment while everything else goes on, and enables it again. */
export async function toggling(asking: Asking, baseUrl: string, customer: Customer, random: Random): Promise<void> {
  const module = random.pick(EVENT_MODULES);
  const url = `${baseUrl}/v1/webhook-endpoints/${typeId('whe', endpointIdOf(customer.tenantId, module))}`;
  const headers = { 'X-API-Key': customer.apiKey };
  await asking.once({ url, method: 'PATCH', headers, body: { enabled: false } });
  await sleep(random.between(300, 1_500));
  // Whether the first call was answered or not: the load ends with every endpoint enabled.
  await asking.persistently({ url, method: 'PATCH', headers, body: { enabled: true } });
}
