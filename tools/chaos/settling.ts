import { sleep } from '@constancia/kernel';
import { type UnsettledTopup, unsettledTopups } from '../oracle/topups.ts';
import type { Stage } from './stage.ts';

/** The platform's sweep of each minute, from the start of a process that may have been killed, and time for what it finds. */
const SETTLED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
/** Callbacks that are under way, or wait to be repeated, come first. */
const UNDER_WAY_MS = 3_000;

/**
 * Waits until the ledger has what the provider holds; answers the seconds since `from`. Looks at the provider that are due in five minutes
 * are brought forward, as the retries of webhooks are. What a reversal's lost callback leaves is found at night, which no round waits
 * for: the tenant asks for those top-ups, once each.
 */
export async function untilSettled(stage: Stage, from: number): Promise<number | null> {
  const asked = new Set<string>();
  for (; Date.now() < from + SETTLED_WITHIN_MS; await sleep(LOOK_EVERY_MS)) {
    const unsettled = await unsettledTopups(stage.query, stage.payments.payments).catch(() => undefined);
    if (unsettled?.length === 0) return (Date.now() - from) / 1_000;
    await stage.sql(`update platform.topup set check_at = now() where check_at > now() and id = any ($1)`, [
      (unsettled ?? []).filter(({ looks }) => looks).map(({ uuid }) => uuid),
    ]);
    if (Date.now() < from + UNDER_WAY_MS) continue;
    for (const topup of unsettled ?? []) if (!topup.looks && !asked.has(topup.id)) await refresh(stage, topup, asked);
  }
  return null;
}

/** POST /v1/billing/topups/{id}/refresh, of which a tenant has six a minute: what is refused is asked for again. */
async function refresh(stage: Stage, { id, tenantId }: UnsettledTopup, asked: Set<string>): Promise<void> {
  const tenant = stage.tenants.find((each) => each.tenantId === tenantId);
  if (!tenant) return;
  const response = await fetch(`${stage.stack.baseUrl}/v1/billing/topups/${id}/refresh`, {
    method: 'POST',
    headers: { 'X-API-Key': tenant.apiKey },
  }).catch(() => undefined);
  await response?.arrayBuffer();
  if (response?.ok) asked.add(id);
}
