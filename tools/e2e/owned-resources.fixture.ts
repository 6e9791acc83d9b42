import { typeId, uuidOf } from '@constancia/kernel';
import { eventually, type TestStack, type WebhookSink } from '@constancia/testing';
import {
  httpOf,
  inStore,
  type Integrator,
  requestSignature,
  settled,
  signUp,
  uploadTemplate,
} from './deployment.fixture.ts';
import { publishedCircuit, sendEnvelope } from './envelopes.fixture.ts';

export type AppName = 'platform' | 'compliance' | 'signing';

/** A name on the lists of a sandbox: its screening opens a case. */
export const LISTED = { full_name: 'Aurelio Ficticio Ejemplar', birth_date: '1955-09-30', country_code: 'CO' };

/** One of everything that a tenant can have, by the paths that lead to it. */
export interface OwnedResources {
  /** Ids by the app and the path that they stand in. */
  ids: [app: AppName, prefix: string, id: string][];
  templateId: string;
  circuitId: string;
  draftCircuitId: string;
  validationId: string;
  draftValidationId: string;
  ruleId: string;
  envelopeId: string;
  signerId: string;
  signToken: string;
  sessionId: string;
  sessionToken: string;
  subjectId: string;
  storedUri: string;
  uploadUrl: string;
  deliveryId: string;
  eventId: string;
  /** The endpoint that the delivery was sent to. */
  endpointId: string;
  passkeyId: string;
  discoveryId: string;
}

/** Makes one of everything for a tenant, through the API. The sink receives its events of the module seal. */
export async function ownedResourcesOf(
  stack: TestStack,
  owner: Integrator,
  sink: WebhookSink,
): Promise<OwnedResources> {
  await owner.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
    params: { path: { id: owner.tenantId, module: 'seal' } },
    body: { url: sink.url },
  });
  const templateId = await uploadTemplate(stack, owner);
  const { id: signatureId } = (await (await requestSignature(stack, owner, templateId)).json()) as { id: string };
  await settled(stack, owner, signatureId);
  await sink.waitFor((delivery) => delivery.body.includes(signatureId));
  const delivery = await eventually(async () => {
    const { data } = await owner.platform.GET('/webhook-deliveries');
    const first = data?.data[0];
    if (!first) throw new Error('no delivery yet');
    return first;
  });
  const { data: run } = await owner.platform.POST('/webhook-deliveries/replays', {
    body: { status: ['delivered'], dry_run: true },
  });
  const { data: key } = await owner.platform.POST('/v1/api-keys', {
    body: { name: 'ERP', scopes: ['billing:read'] },
  });
  const { data: member } = await owner.platform.POST('/v1/members', {
    body: { email: `ana@${owner.tenantId}.example`, name: 'Ana Ruiz', role: 'sender' },
  });
  const passkeyId = await passkeyOf(stack, member?.id as string);
  const { data: endpoint } = await owner.platform.POST('/v1/webhook-endpoints', {
    body: { url: sink.url, event_types: ['seal.signature.failed'] },
  });
  const { data: topup } = await owner.platform.POST('/v1/billing/topup', { body: { amount_cop: 100_000 } });
  const { data: erased } = await owner.signing.POST('/v1/erasures', { body: { subject_ref: 'erased-customer' } });
  const [screened, identified, sent] = [
    await screening(stack, owner),
    await identity(stack, owner),
    await envelope(stack, owner),
  ];
  return {
    ids: [
      ['platform', '/tenants/', owner.tenantId],
      ['platform', '/webhook-deliveries/replays/', run?.id as string],
      ['platform', '/webhook-deliveries/', delivery.id],
      ['platform', '/v1/webhook-endpoints/', endpoint?.id as string],
      ['platform', '/v1/api-keys/', key?.id as string],
      ['platform', '/v1/members/', member?.id as string],
      ['platform', '/v1/events/', delivery.event_id],
      ['platform', '/v1/billing/topups/', topup?.id as string],
      ['signing', '/v1/signatures/', signatureId],
      ['signing', '/v1/templates/', templateId],
      ['signing', '/v1/erasures/', erased?.receipt_id as string],
      ...screened.ids,
      ...identified.ids,
      ...sent.ids,
    ],
    ...{ templateId, deliveryId: delivery.id, eventId: delivery.event_id, endpointId: delivery.endpoint_id, passkeyId },
    ...{ ...screened.others, ...identified.others, ...sent.others },
  };
}

/** A passkey of a member: a browser would register it, so it is written to the store. Answers its TypeID. */
async function passkeyOf(stack: TestStack, memberId: string): Promise<string> {
  const [row] = await inStore<{ id: string }>(
    stack,
    `insert into platform.passkey (tenant_id, member_id, credential_id, public_key, sign_count, transports, name, backed_up)
     select m.tenant_id, m.id, decode(replace(m.id::text, '-', ''), 'hex'), '\\x00', 0, '{}', 'Portátil', false
       from platform.member m where m.id = $1 returning id`,
    [uuidOf('mbr', memberId)],
  );
  return typeId('psk', (row as { id: string }).id);
}

/** A draft validation with the default rules; answers its id. */
export async function draftValidation({ compliance }: Integrator, code = 'default'): Promise<string> {
  const id = (await compliance.POST('/v1/validations', { body: { code } })).data?.id as string;
  await compliance.POST('/v1/rules/seed-defaults', { body: { validation_id: id, subject_type: 'both' } });
  return id;
}

/** A tenant whose validation `default` has the default rules and is published. */
export async function tenantWithRules(stack: TestStack): Promise<Integrator> {
  const owner = await signUp(stack);
  const id = await draftValidation(owner);
  await owner.compliance.POST('/v1/validations/{id}/publish', { params: { path: { id } } });
  return owner;
}

/** Screens the listed name, which opens a case, once the lists are loaded. The validation `default` must be published. */
export function screenListedName({ compliance }: Integrator, subjectRef: string, more: object = {}) {
  return eventually(async () => {
    const body = { subject_ref: subjectRef, subject_type: 'natural' as const, payload: { ...LISTED, ...more } };
    const { data } = await compliance.POST('/v1/screenings', { body });
    if (!data) throw new Error('the lists are not loaded yet');
    return data;
  }, 60_000);
}

async function batchOf(stack: TestStack, { apiKey }: Integrator, url: string, csv: string): Promise<string> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/csv' };
  const answer = await httpOf(stack)(url, { method: 'POST', headers, body: csv });
  if (answer.status !== 202) throw new Error(`${url} answered ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Validations (published, draft) with rules, a screening and the case that it opened, a batch, and those of somebody who was erased. */
async function screening(stack: TestStack, integrator: Integrator) {
  const { compliance } = integrator;
  const [validationId, draftValidationId] = [
    await draftValidation(integrator),
    await draftValidation(integrator, 'another'),
  ];
  const params = { path: { id: validationId } };
  const ruleId = (await compliance.GET('/v1/validations/{id}/rules', { params })).data?.data[0]?.id as string;
  await compliance.POST('/v1/validations/{id}/publish', { params });
  const result = await screenListedName(integrator, 'customer-1');
  await screenListedName(integrator, 'erased-customer');
  const { data: erased } = await compliance.POST('/v1/erasures', { body: { subject_ref: 'erased-customer' } });
  const batches = `${stack.complianceUrl}/v1/screening-batches`;
  const batchId = await batchOf(stack, integrator, batches, 'subject_ref,full_name\ncustomer-2,Rosalba Quintero');
  const ids: OwnedResources['ids'] = [
    ['compliance', '/v1/validations/', validationId],
    ['compliance', '/v1/screenings/', result.id],
    ['compliance', '/v1/screening-batches/', batchId],
    ['compliance', '/v1/cases/', result.case_id as string],
    ['compliance', '/v1/erasures/', erased?.receipt_id as string],
  ];
  return { ids, others: { validationId, draftValidationId, ruleId } };
}

/** A flow, a session on it and its embed session, its subject and a picture of them, and a subject that was erased. */
async function identity(stack: TestStack, { platform, tenantId }: Integrator) {
  const flow = (await platform.POST('/v1/flows/seed-default')).data?.id as string;
  const body = { document_type: 'CC', document_number: '1098765432', country: 'CO' } as const;
  const session = (await platform.POST('/v1/flows/sessions', { body })).data;
  const [sessionId, subjectId] = [session?.id as string, session?.subject_id as string];
  const origins = ['https://shop.example'];
  await platform.PUT('/tenants/{id}/embed-origins', { params: { path: { id: tenantId } }, body: { origins } });
  const { data: embed } = await platform.POST('/v1/embed/sessions', {
    body: { kind: 'flow', target_id: sessionId, allowed_origins: origins },
  });
  const presigned = await platform.POST('/v1/kyc/subjects/{id}/presign-upload', {
    params: { path: { id: subjectId } },
    body: { kind: 'doc_front' },
  });
  const { upload_url: uploadUrl, stored_uri: storedUri } = presigned.data as { upload_url: string; stored_uri: string };
  const put = await httpOf(stack)(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': 'image/png' },
    body: new Uint8Array(await onePicture()),
  });
  if (put.status !== 204) throw new Error(`the upload answered ${put.status}`);
  const another = (await platform.POST('/v1/flows/sessions', { body: { ...body, document_number: '1098765433' } }))
    .data;
  const { data: erased } = await platform.DELETE('/v1/kyc/subjects/{id}', {
    params: { path: { id: another?.subject_id as string } },
  });
  const { data: discovery } = await platform.POST('/v1/wallet/discover', {
    body: { ...body, purpose: 'Abrir su cuenta' },
  });
  const { data: presentation } = await platform.POST('/v1/wallet/request-presentation', {
    body: { wallet_hint: 'qr', channel: 'qr', purpose: 'Abrir su cuenta' },
  });
  const { data: client } = await platform.POST('/v1/oidc/clients', {
    body: { name: 'Shop', type: 'web', redirect_uris: ['https://shop.example/callback'], scopes: ['openid'] },
  });
  const discoveryId = discovery?.discovery_id as string;
  const ids: OwnedResources['ids'] = [
    ['platform', '/v1/wallet/presentations/', presentation?.id as string],
    ['platform', '/v1/oidc/clients/', client?.client_id as string],
    ['platform', '/v1/erasures/', erased?.receipt_id as string],
    ['platform', '/v1/flows/sessions/', sessionId],
    ['platform', '/v1/embed/sessions/', embed?.id as string],
    ['platform', '/v1/kyc/subjects/', subjectId],
    ['platform', '/v1/flows/', flow],
  ];
  const sessionToken = session?.session_token as string;
  return { ids, others: { sessionId, sessionToken, subjectId, storedUri, uploadUrl, discoveryId } };
}

/** A picture of nothing, as PNG. */
export async function onePicture(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#8899aa' } })
    .png()
    .toBuffer();
}

/** Circuits (published, draft), an envelope on one of them, and the embed session of its signer. */
async function envelope(stack: TestStack, owner: Integrator) {
  const circuitId = await publishedCircuit(stack, owner, { parts: [{ role: 'buyer', order: 1 }] });
  const draft = await owner.signing.POST('/v1/circuits', { body: { code: 'draft-one', name: 'Borrador' } });
  const sent = await sendEnvelope(stack, owner, circuitId, [{ role: 'buyer', email: 'buyer@mail.example' }]);
  const [signer] = sent.signers;
  const { data: embed } = await owner.signing.POST('/v1/embed/sessions', {
    body: { kind: 'sign', target_id: signer?.id as string, allowed_origins: ['https://shop.example'] },
  });
  const batches = `${stack.signingUrl}/v1/envelope-batches?circuit_id=${circuitId}`;
  const batchId = await batchOf(stack, owner, batches, 'signers.buyer.email\nanother-buyer@mail.example');
  const ids: OwnedResources['ids'] = [
    ['signing', '/v1/circuits/', circuitId],
    ['signing', '/v1/envelope-batches/', batchId],
    ['signing', '/v1/envelopes/', sent.id],
    ['signing', '/v1/embed/sessions/', embed?.id as string],
  ];
  return {
    ids,
    others: {
      ...{ circuitId, draftCircuitId: draft.data?.id as string, envelopeId: sent.id },
      ...{ signerId: signer?.id as string, signToken: signer?.sign_token as string },
    },
  };
}
