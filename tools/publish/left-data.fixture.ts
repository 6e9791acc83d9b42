import path from 'node:path';
import { type AppName, AppProcess } from '@constancia/testing';
import { expect } from 'vitest';
import { type Addresses, addressesOf } from '../image-check/check-together.ts';
import type { DeploymentServices } from '../image-check/deployment-services.ts';
import {
  downloadSealed,
  ledger,
  registerEndpoint,
  requestSignature,
  sealHolds,
  signUp,
  uploadTemplate,
  whenSigned,
} from '../local/main-job.mjs';
import { dryRun, seededDraft } from '../local/screening-job.mjs';
import { type openReceiver, serviceSignatureHolds } from '../local/webhook-receiver.mjs';

type Receiver = Awaited<ReturnType<typeof openReceiver>>;
const SEALED_WITHIN_MS = 60_000;

/** What a tenant of the release before has when it is upgraded. */
export interface LeftData {
  tenant: Awaited<ReturnType<typeof signUp>>;
  template: Awaited<ReturnType<typeof uploadTemplate>>;
  /** Its requests of signatures: the first is signed; nobody works on the second yet. */
  requests: { id: string }[];
  /** The document of the first. */
  sealed: Awaited<ReturnType<typeof downloadSealed>>;
}

/** Makes data with the bundles of a release, through its APIs. Work of sealing and all webhooks are left for who comes after. */
export async function leaveData(
  bundles: string,
  around: DeploymentServices,
  { folder, receiver }: { folder: string; receiver: Receiver },
): Promise<LeftData> {
  const names: AppName[] = ['platform', 'compliance', 'signing', 'sealing-worker'];
  const processes = names.map(
    (name) =>
      new AppProcess(
        name,
        around.environment(name),
        `http://127.0.0.1:${around.ports[name].ops}/readyz`,
        path.join(folder, `${name}.log`),
        bundles,
      ),
  );
  try {
    await Promise.all(processes.map((each) => each.start()));
    const stack = addressesOf(around);
    const tenant = await signUp(stack);
    await registerEndpoint(stack, tenant, receiver.url);
    await seededDraft(stack, tenant);
    const template = await uploadTemplate(stack, tenant);
    const signed = await requestSignature(stack, tenant, template);
    await whenSigned(stack, tenant, signed, SEALED_WITHIN_MS);
    const sealed = await downloadSealed(stack, tenant, signed);
    await processes[names.indexOf('sealing-worker')]?.end();
    const waiting = await requestSignature(stack, tenant, template);
    const codes = await Promise.all(processes.map((each) => each.end()));
    expect(codes).toEqual(names.map(() => 0));
    return { tenant, template, requests: [signed, waiting], sealed };
  } finally {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
  }
}

/** What was left works: it is read, what waited is done, its webhooks come, and more is made of it. */
export async function leftDataWorks(stack: Addresses, left: LeftData, receiver: Receiver): Promise<void> {
  const { tenant, template, requests, sealed } = left;
  expect(await downloadSealed(stack, tenant, requests[0])).toEqual(sealed);
  requests.push(await requestSignature(stack, tenant, template));
  for (const request of requests) {
    await whenSigned(stack, tenant, request, SEALED_WITHIN_MS);
    expect(sealHolds(await downloadSealed(stack, tenant, request))).toBe(true);
    const arrival = await receiver.arrived((event) => (event as Completed).payload?.request_id === request.id, 30_000);
    expect(serviceSignatureHolds(arrival, tenant.webhook_secret)).toBe(true);
  }
  const entries = (await ledger(stack, tenant)) as { amount: number }[];
  expect(entries.filter(({ amount }) => amount === -40)).toHaveLength(requests.length);
  expect(await dryRun(stack, tenant)).toMatchObject({ decision: 'reject' });
}

interface Completed {
  payload?: { request_id?: string };
}
