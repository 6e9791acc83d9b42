import {
  deliveries,
  downloadSealed,
  ledger,
  registerEndpoint,
  requestSignature,
  sealHolds,
  signUp,
  uploadTemplate,
  whenSigned,
} from './main-job.mjs';
import { dryRun, seededDraft } from './screening-job.mjs';
import { approveCheckout, createTopup, whenCredited } from './topup-job.mjs';
import { openReceiver, serviceSignatureHolds, standardSignatureHolds } from './webhook-receiver.mjs';

function expect(fact, sentence) {
  if (!fact) throw new Error(sentence);
}

/**
 * The smoke test: the main job from sign-up to an offline verification, each step reported as it passes.
 * @param {object} stack what stack.json holds
 * @param {<T>(what: string, work: () => Promise<T>) => Promise<T>} step
 * @throws Error with one sentence about the first step that does not hold
 */
export async function check(stack, step) {
  const receiver = await openReceiver();
  try {
    const tenant = await step('Sign up', () => signUp(stack));
    await step('Register a webhook endpoint', () => registerEndpoint(stack, tenant, receiver.url));
    const template = await step('Upload a template', () => uploadTemplate(stack, tenant));
    const request = await step('Ask for a signature', () => requestSignature(stack, tenant, template));
    await step('Wait until it is signed', () => whenSigned(stack, tenant, request, 30_000));
    const sealed = await step('Download and verify with the public key', async () => {
      const file = await downloadSealed(stack, tenant, request);
      expect(sealHolds(file), 'the downloaded file does not match its hash and signature');
      return file;
    });
    if (stack.payments_url) {
      await step('Top up through the payment simulator', async () => {
        const topup = await createTopup(stack, tenant, 100_000);
        await approveCheckout(topup);
        const { credited_credits: credits } = await whenCredited(stack, tenant, topup, 15_000);
        expect(credits === topup.amount_credits, 'the top-up brought other credits than it was quoted with');
      });
    }
    await step('Receive the signed webhook', async () => {
      const ours = (event) =>
        event.event_type === 'seal.signature.completed' && event.payload.request_id === request.id;
      const arrival = await receiver.arrived(ours, 15_000);
      expect(serviceSignatureHolds(arrival, tenant.webhook_secret), 'X-Service-Signature does not hold');
      expect(standardSignatureHolds(arrival, tenant.webhook_secret), 'webhook-signature does not hold');
      expect(arrival.event.payload.document_sha256 === sealed.sha256, 'the event names another document');
    });
    await step('Screen a listed name against a draft, without a trace', async () => {
      await seededDraft(stack, tenant);
      const { decision, list_hits } = await dryRun(stack, tenant);
      expect(decision === 'reject' && list_hits.includes('OFAC'), `the listed name came out as ${decision}`);
    });
    await step('Find the debit and the delivery', async () => {
      const debits = (await ledger(stack, tenant)).filter((entry) => entry.amount === -40);
      expect(debits.length === 1, `the ledger shows ${debits.length} debits of 40 instead of one`);
      await deliveries(stack, tenant, 10_000);
    });
  } finally {
    receiver.close();
  }
}
