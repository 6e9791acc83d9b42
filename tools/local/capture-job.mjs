/** A flow that a person takes in the browser, opened on a running stack as a tenant's system would. Used by the demo. */
import { randomUUID } from 'node:crypto';
import { call, CallRefused } from './main-job.mjs';

/** Opens a hosted session of the default flow; answers it with its `capture_url`. */
export async function openCapture(stack, tenant, locale) {
  const key = tenant.api_key;
  await call('POST', `${stack.base_url}/v1/flows/seed-default`, { key, expect: 201 }).catch(unlessSeeded);
  const { answer } = await call('POST', `${stack.base_url}/v1/flows/sessions`, {
    key,
    headers: { 'idempotency-key': randomUUID() },
    json: {
      document_type: 'CC',
      document_number: '1098765432',
      country: 'CO',
      external_ref: 'demo-capture',
      hosted: true,
      locale,
    },
    expect: 201,
  });
  return answer;
}

/** The tenant has its default flow already. */
function unlessSeeded(error) {
  if (!(error instanceof CallRefused) || error.status !== 409) throw error;
}
