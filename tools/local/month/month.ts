import { CASES, prepareCompliance, screen, whenListsAreLoaded } from './compliance-work.ts';
import { envelopePlan, Envelopes } from './envelope-work.ts';
import { prepareIdentity, SESSIONS, takeFlow } from './identity-work.ts';
import { buyCredits, inviteMembers } from './office-work.ts';
import { Past } from './past.ts';
import { CUSTOMERS, type Person } from './people.ts';
import { openShop, type Shop, type StackFile } from './shop.ts';
import { Receivers } from './webhook-work.ts';

const DAYS = 28;
/** When the newest endpoint began to fail. */
const FAILING_SINCE = 1;
const FORMER_TRIED = [18, 12, 5];

export interface Order {
  stack: StackFile;
  /** A superuser's. */
  databaseUrl: string;
}

/** Two customers a day, in turn; more at the end of the week. */
async function screenCustomers(shop: Shop, ago: number): Promise<void> {
  const count = ago % 7 === 0 ? 4 : 2;
  for (let nth = 0; nth < count; nth++) {
    await screen(shop, CUSTOMERS[(ago * 3 + nth) % CUSTOMERS.length] as Person);
  }
}

/**
 * Gives a tenant a month in which it used the product. Every day is lived now, through the API, and then made older.
 * @throws Error with one sentence about what was refused
 */
export async function fillMonth({ stack, databaseUrl }: Order): Promise<void> {
  const shop = openShop(stack);
  const receivers = new Receivers();
  const past = await Past.open(databaseUrl, stack.tenant.tenant_id);
  try {
    await Promise.all([prepareCompliance(shop), prepareIdentity(shop), inviteMembers(shop)]);
    await past.joinColleagues();
    const envelopes = envelopePlan(await Envelopes.prepare(shop));
    await buyCredits(shop);
    await receivers.register(shop);
    await whenListsAreLoaded(shop, CUSTOMERS[0] as Person);
    for (let ago = DAYS; ago >= 0; ago--) {
      if (ago === FAILING_SINCE) await receivers.registerFailing(shop);
      if (FORMER_TRIED.includes(ago)) await receivers.retryFormer(shop);
      await Promise.all([
        screenCustomers(shop, ago),
        CASES[ago]?.(shop),
        envelopes[ago]?.(),
        ...(SESSIONS[ago] ?? []).map((number) => takeFlow(shop, number)),
      ]);
      if (ago > 0) await past.passDay();
      if (ago === 1) await past.relink();
    }
  } finally {
    receivers.close();
    await past.close();
  }
}
