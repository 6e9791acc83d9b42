import { EVENT_MODULES } from '@constancia/contracts';
import { type Hosts, type Integrator, signUp, uploadTemplate } from '../e2e/deployment.fixture.ts';
import { publishedCircuit } from '../e2e/envelopes.fixture.ts';
import { readyForOnboarding } from '../e2e/identity.fixture.ts';
import type { Customer } from '../chaos/load/asking.ts';
import { ROLES } from '../chaos/load/signing.ts';
import { TenantReceiver } from '../chaos/receivers.ts';

/** A tenant with a contract, a circuit and a flow, and receivers of its events. */
export interface Bank extends Customer {
  slug: string;
  platform: Integrator['platform'];
  receiver: TenantReceiver;
  /** Of the events of signing: it fails for some days. */
  signingReceiver: TenantReceiver;
}

/** Signs a bank up on a running deployment. @throws Error with what was answered */
export async function openBank(hosts: Hosts): Promise<Bank> {
  const slug = `banco-${Date.now().toString(36)}`;
  const integrator = await signUp(hosts, { slug, displayName: 'Banco del Ejemplo S.A.' });
  const { tenantId, apiKey, webhookSecret, platform } = integrator;
  const [receiver, signingReceiver] = await Promise.all([TenantReceiver.start(), TenantReceiver.start()]);
  for (const module of EVENT_MODULES) {
    const { error } = await platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: tenantId, module } },
      body: { url: (module === 'seal' ? signingReceiver : receiver).urlOf(module) },
    });
    if (error) throw new Error(`no endpoint: ${JSON.stringify(error)}`);
  }
  await readyForOnboarding(integrator);
  const parts = ROLES.map((role) => ({ role, order: 1, auth: ['access_code' as const] }));
  const templateId = await uploadTemplate(hosts, integrator);
  const circuitId = await publishedCircuit(hosts, integrator, { parts });
  return { tenantId, apiKey, webhookSecret, templateId, circuitId, slug, platform, receiver, signingReceiver };
}
