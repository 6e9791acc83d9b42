import { EVENT_MODULES, shape } from '@constancia/contracts';
import type { Operation } from './operation.ts';

type Parameter = NonNullable<Operation['parameters']>[number];

const TENANT = { description: 'Your tenant_id.', schema: { type: 'string', format: 'uuid' } };
const UPLOAD = { description: 'As in the address that presign-upload answered.' };

/** What stands in the address of each kind of thing, by how its path begins: the longest one counts. Anything else in its place is 404. */
const IDS: [path: string, parameter: string, documented: { description: string; schema: object }][] = [
  ['/tenants/', 'id', TENANT],
  ['/tenants/', 'module', { description: 'Whose events they are.', schema: { type: 'string', enum: EVENT_MODULES } }],
  ['/uploads/', 'id', { ...UPLOAD, schema: { type: 'string', ...shape.id('ast') } }],
  ['/webhook-deliveries/', 'id', typeId('The delivery.', 'dlv')],
  ['/webhook-deliveries/replays/', 'id', typeId('The replay run.', 'run')],
  ['/v1/webhook-endpoints/', 'id', typeId('The endpoint.', 'whe')],
  ['/v1/billing/topups/', 'id', typeId('The top-up.', 'top')],
  [
    '/v1/billing/callbacks/',
    'provider',
    { description: 'The payment provider.', schema: { type: 'string', enum: ['mercadopago'] } },
  ],
  ['/v1/api-keys/', 'id', typeId('The key.', 'key')],
  ['/v1/events/', 'event_id', { description: 'The event.', schema: { type: 'string', format: 'uuid' } }],
  ['/v1/members/', 'id', typeId('The member.', 'mbr')],
  ['/v1/members/', 'passkey_id', typeId('The passkey.', 'psk')],
  ['/v1/passkeys/', 'id', typeId('The passkey.', 'psk')],
  ['/v1/wallet/me/credentials/', 'id', typeId('The credential.', 'wcr')],
  ['/v1/wallet/me/passkeys/', 'id', typeId('The passkey.', 'psk')],
  ['/v1/members/', 'session_id', typeId('The console session.', 'mss')],
  ['/v1/member-sessions/', 'id', typeId('The console session.', 'mss')],
  ['/v1/wallet/presentations/', 'id', typeId('The request.', 'wpr')],
  ['/v1/wallet/me/consents/', 'id', typeId('The consent.', 'wco')],
  ['/v1/wallet/recovery/', 'recovery_id', typeId('The recovery.', 'wrc')],
  [
    '/v1/wallet/recovery/',
    'cancel_token',
    {
      description: 'Of the link in the notice.',
      schema: { type: 'string', maxLength: 43, pattern: '^[A-Za-z0-9_-]{43}$' },
    },
  ],
  [
    '/v1/wallet/recovery-evidence/',
    'token',
    {
      description: 'The whole address comes from verify.',
      schema: { type: 'string', maxLength: 200, pattern: '^[A-Za-z0-9_-]{60,200}$' },
    },
  ],
  ['/v1/oidc/clients/', 'id', typeId('The client.', 'oic')],
  ['/v1/flows/', 'id', typeId('The flow.', 'flw')],
  ['/v1/flows/sessions/', 'id', typeId('The session.', 'fls')],
  ['/v1/embed/sessions/', 'id', typeId('The embed session.', 'ems')],
  ['/v1/kyc/subjects/', 'id', typeId('The subject.', 'sub')],
  ['/v1/kyc/subjects/', 'subject_id', typeId('The subject.', 'sub')],
  ['/v1/erasures/', 'receipt_id', typeId('The receipt.', 'rcp')],
  ['/v1/erasures/', 'attachment_id', typeId('The attachment.', 'caf')],
  ['/v1/validations/', 'id', typeId('The validation.', 'val')],
  ['/v1/validations/', 'rule_id', typeId('The rule.', 'rul')],
  ['/v1/screenings/', 'id', typeId('The screening.', 'scr')],
  ['/v1/screening-batches/', 'id', typeId('The batch.', 'scb')],
  ['/v1/cases/', 'id', typeId('The case.', 'cas')],
  ['/v1/cases/', 'attachment_id', typeId('The attachment.', 'caf')],
  ['/v1/templates/', 'id', typeId('The template.', 'tpl')],
  ['/v1/signatures/', 'id', typeId('The signature request.', 'sig')],
  ['/v1/circuits/', 'id', typeId('The circuit.', 'cir')],
  ['/v1/envelope-batches/', 'id', typeId('The batch.', 'evb')],
  ['/v1/envelopes/', 'id', typeId('The envelope.', 'env')],
  ['/v1/envelopes/', 'signer_id', typeId('The signer.', 'sgn')],
];

function typeId(description: string, prefix: Parameters<typeof shape.id>[0]) {
  return { description, schema: { type: 'string', ...shape.id(prefix) } };
}

/** Says what the path's parameters look like; what a route says itself stays. */
export function describePathParameters(path: string, parameters: Parameter[] = []): void {
  for (const parameter of parameters) {
    if (parameter.in !== 'path') continue;
    const documented = IDS.filter(([begin, name]) => path.startsWith(begin) && name === parameter.name).at(-1)?.[2];
    if (documented === undefined) continue;
    parameter.description ??= documented.description;
    parameter.schema = { ...documented.schema, ...(parameter.schema as object) };
  }
}
