/** A top-up against a running stack, call by call, as any client and its payer would make it. Used by --check and by the demo. */
import { randomUUID } from 'node:crypto';
import { call } from './main-job.mjs';
import { pause } from './processes.mjs';

export async function createTopup(stack, tenant, amountCop) {
  const { answer } = await call('POST', `${stack.base_url}/v1/billing/topup`, {
    key: tenant.api_key,
    headers: { 'idempotency-key': randomUUID() },
    json: { amount_cop: amountCop },
    expect: 201,
  });
  return answer;
}

/** What the button of the payer's page does; answers where the payer is sent then. */
export async function approveCheckout(topup) {
  const response = await fetch(`${topup.init_point}/approve`, { method: 'POST', redirect: 'manual' });
  if (response.status !== 303) throw new Error(`the checkout answered ${response.status}`);
  return response.headers.get('location');
}

/** Asks until the top-up is credited. Throws when it takes longer than allowed. */
export async function whenCredited(stack, tenant, topup, timeoutMs) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(100)) {
    const url = `${stack.base_url}/v1/billing/topups/${topup.id}`;
    const { answer } = await call('GET', url, { key: tenant.api_key, expect: 200 });
    if (answer.status === 'credited') return answer;
    if (Date.now() > deadline) throw new Error(`the top-up is still ${answer.status} after ${timeoutMs / 1000} s`);
  }
}

export async function balance(stack, tenant) {
  return (await call('GET', `${stack.base_url}/v1/billing/balance`, { key: tenant.api_key, expect: 200 })).answer;
}

export async function registerBillingEndpoint(stack, tenant, url) {
  const endpoint = `${stack.base_url}/tenants/${tenant.tenant_id}/webhook-endpoints/billing`;
  return (await call('PUT', endpoint, { key: tenant.api_key, json: { url }, expect: 200 })).answer;
}
