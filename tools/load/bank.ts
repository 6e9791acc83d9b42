import { type Hosts, type Integrator, signUp } from '../e2e/deployment.fixture.ts';
import { readyForOnboarding } from '../e2e/identity.fixture.ts';
import type { Customer } from '../chaos/load/asking.ts';
import { customerOf, receiveEvents } from '../chaos/load/customer.ts';
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
  const [receiver, signingReceiver] = await Promise.all([TenantReceiver.start(), TenantReceiver.start()]);
  await receiveEvents(integrator, (module) => (module === 'seal' ? signingReceiver : receiver).urlOf(module));
  await readyForOnboarding(integrator);
  const customer = await customerOf(hosts, integrator);
  return { ...customer, slug, platform: integrator.platform, receiver, signingReceiver };
}
