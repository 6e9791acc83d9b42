import type { TestStack, WebhookSink } from '@constancia/testing';
import { fillMonth } from '../local/month/month.ts';
import { grantCredits, type Integrator, signUp } from './deployment.fixture.ts';

/** A tenant that has used the product for a month; the sink receives what it is sent. */
export async function tenantWithMonth(stack: TestStack, sink: WebhookSink): Promise<Integrator> {
  const owner = await signUp(stack);
  await grantCredits(stack, owner, 100_000);
  await fillMonth({
    stack: {
      base_url: stack.baseUrl,
      compliance_url: stack.complianceUrl,
      signing_url: stack.signingUrl,
      console_url: stack.consoleUrl,
      payments_url: stack.payments.url,
      receiver_url: sink.url,
      tenant: { tenant_id: owner.tenantId, slug: 'month', api_key: owner.apiKey },
    },
    databaseUrl: stack.cluster.adminUrl,
  });
  return owner;
}
