import { type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import { type OwnedResources, ownedResourcesOf, onePicture } from '../../e2e/owned-resources.fixture.ts';
import {
  contractPdf,
  grantCredits,
  inStore,
  NO_LIMITS,
  signUp,
  startDeployment,
} from '../../e2e/deployment.fixture.ts';
import { KnownIds } from './known-ids.ts';
import type { Caller } from './send.ts';

/** A deployment to send anything to: two tenants that have one of everything, limits out of the way, credits enough. */
export interface FuzzStack {
  stack: TestStack;
  caller: Caller;
  close(): Promise<void>;
}

const CREDITS = 100_000_000;

export async function startFuzzStack(): Promise<FuzzStack> {
  const stack = await startDeployment({ env: NO_LIMITS });
  let sink: WebhookSink | undefined;
  const close = async () => {
    await stack.close();
    await sink?.close();
  };
  try {
    sink = await webhookSink();
    const [own, foreign] = [await signUp(stack), await signUp(stack)];
    await grantCredits(stack, own, CREDITS);
    const mine = idsOf(await ownedResourcesOf(stack, own, sink), own.tenantId);
    const theirs = idsOf(await ownedResourcesOf(stack, foreign, sink), foreign.tenantId);
    const samples = await samplesOf();
    const hosts = { platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl };
    return { stack, caller: { hosts, apiKey: own.apiKey, own: mine, foreign: theirs, samples }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function idsOf(owned: OwnedResources, tenantId: string): KnownIds {
  const { signToken, sessionToken, storedUri, uploadUrl, eventId } = owned;
  const ids = new KnownIds([JSON.stringify(owned)]);
  const others = {
    token: signToken,
    session_token: sessionToken,
    stored_uri: storedUri,
    upload: uploadUrl,
    event: eventId,
  };
  for (const [kind, value] of Object.entries({ ...others, tenant: tenantId })) ids.add(kind, value);
  return ids;
}

/** What the calls have broken in the ledger: sums, and debits of what is not there. Nothing: it holds. */
export async function brokenLedger(stack: TestStack): Promise<string[]> {
  const rows = await inStore<{ broken: string }>(
    stack,
    `select tenant_id::text || ' ' || problem as broken from platform.verify_ledger()
     union all
     select 'a debit of nothing: ' || e.id::text from platform.credit_entry e where e.kind = 'debit' and not exists (
       select from signing.signature_request where id = e.ref_id
       union all select from signing.envelope where id = e.ref_id
       union all select from compliance.screening where id = e.ref_id)`,
  );
  return rows.map(({ broken }) => broken);
}

async function samplesOf(): Promise<Map<string, Buffer>> {
  const png = await onePicture();
  const { default: sharp } = await import('sharp');
  return new Map([
    ['application/pdf', await contractPdf()],
    ['image/png', png],
    ['image/jpeg', await sharp(png).jpeg().toBuffer()],
    ['image/webp', await sharp(png).webp().toBuffer()],
    ['text/csv', Buffer.from('name,document_number\nAurelio Ficticio,123\n"a ""b""",\n')],
  ]);
}
