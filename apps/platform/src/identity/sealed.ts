import { sealedAnswers } from '@constancia/idempotency';
import type { SealedColumn } from '@constancia/persistence';
import { oidcRecordContext } from './oidc/store/oidc-record-context.ts';
import { requestLinkContext } from './presentations/session-requests.ts';
import { erasureRequestContext } from './privacy/module-erasures.ts';
import { appKeyContext } from './presentations/app-key-context.ts';
import { signerCaptureContext } from './signers/signer-checks.ts';

/** Everything in the schema that SECRETS_KEY seals. */
export const IDENTITY_SEALED: readonly SealedColumn[] = [
  {
    table: 'identity.erasure_module',
    key: ['receipt_id', 'module'],
    column: 'sealed_request',
    where: 'sealed_request is not null',
    context: ({ receipt_id, module }) => erasureRequestContext(receipt_id as string, module as string),
  },
  {
    table: 'identity.signer_check',
    key: ['tenant_id', 'id'],
    column: 'capture_sealed',
    where: 'capture_sealed is not null',
    context: ({ id }) => signerCaptureContext(id as string),
  },
  {
    table: 'identity.wallet_presentation',
    key: ['tenant_id', 'id'],
    column: 'link_sealed',
    where: 'link_sealed is not null',
    context: ({ id }) => requestLinkContext(id as string),
  },
  {
    table: 'identity.oidc_record',
    key: ['model', 'id_hash'],
    column: 'sealed',
    context: ({ model, id_hash }) =>
      oidcRecordContext(model as string, Buffer.from((id_hash as string).slice(2), 'hex')),
  },
  {
    table: 'identity.wallet_presentation',
    key: ['tenant_id', 'id'],
    column: 'app_key_sealed',
    where: 'app_key_sealed is not null',
    context: ({ id }) => appKeyContext(id as string),
  },
  sealedAnswers('identity'),
];
