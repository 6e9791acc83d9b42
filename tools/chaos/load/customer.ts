import { EVENT_MODULES } from '@constancia/contracts';
import { type Hosts, type Integrator, uploadTemplate } from '../../e2e/deployment.fixture.ts';
import { publishedCircuit } from '../../e2e/envelopes.fixture.ts';
import type { Customer } from './asking.ts';
import { ROLES } from './signing.ts';

/** Gives a tenant a template and a circuit that the load signs; without `circuit`, a template alone. */
export async function customerOf(hosts: Hosts, integrator: Integrator, { circuit = true } = {}): Promise<Customer> {
  const { tenantId, apiKey, webhookSecret } = integrator;
  const parts = ROLES.map((role) => ({ role, order: 1, auth: ['access_code' as const] }));
  const templateId = await uploadTemplate(hosts, integrator);
  const circuitId = circuit ? await publishedCircuit(hosts, integrator, { parts }) : '';
  return { tenantId, apiKey, webhookSecret, templateId, circuitId };
}

type EventModule = (typeof EVENT_MODULES)[number];

/** Sends the events of each module to an address. @throws Error with what was answered */
export async function receiveEvents(integrator: Integrator, urlOf: (module: EventModule) => string): Promise<void> {
  for (const module of EVENT_MODULES) {
    const { error } = await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module } },
      body: { url: urlOf(module) },
    });
    if (error) throw new Error(`no endpoint: ${JSON.stringify(error)}`);
  }
}
