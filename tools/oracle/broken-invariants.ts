import { brokenChains } from './chains.ts';
import { brokenEvents } from './events.ts';
import type { Query } from './finding.ts';
import { brokenMoney } from './money.ts';
import { brokenReuse } from './reuse.ts';
import { unfinished } from './unfinished.ts';

/**
 * What is broken of what must hold of a deployment at rest, whatever happened before, as its store shows it: money, ends, events,
 * deliveries, chains. Empty: nothing. `pending: false` leaves out that nothing waits (where deliveries have nowhere to go).
 */
export async function brokenInvariants(query: Query, options: { pending?: boolean } = {}): Promise<string[]> {
  return [
    ...(await brokenMoney(query)),
    ...(await brokenReuse(query)),
    ...(await unfinished(query, options)),
    ...(await brokenEvents(query)),
    ...(await brokenChains(query)),
  ];
}
