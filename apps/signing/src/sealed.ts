import { sealedAnswers } from '@constancia/idempotency';
import type { SealedColumn } from '@constancia/persistence';
import { signTokenContext } from './envelope-records/sign-tokens.ts';
import { signerMailContext } from './mails/signer-mails.ts';
import { identityCaptureContext, identityRequestContext } from './signer-identity/identity-checks.ts';
import { signerDraftContext } from './signer-requests/signer-drafts.ts';

/** Everything in the schema that SECRETS_KEY seals. */
export const SEALED: readonly SealedColumn[] = [
  {
    table: 'signing.envelope_signer',
    key: ['id'],
    column: 'token_sealed',
    context: ({ id }) => signTokenContext(id as string),
  },
  { table: 'signing.signer_mail', key: ['id'], column: 'secret', context: ({ id }) => signerMailContext(id as string) },
  {
    table: 'signing.signer_draft',
    key: ['signer_id'],
    column: 'sealed',
    context: ({ signer_id }) => signerDraftContext(signer_id as string),
  },
  {
    table: 'signing.identity_check',
    key: ['signer_id'],
    column: 'request_sealed',
    context: ({ signer_id }) => identityRequestContext(signer_id as string),
  },
  {
    table: 'signing.identity_check',
    key: ['signer_id'],
    column: 'capture_sealed',
    context: ({ signer_id }) => identityCaptureContext(signer_id as string),
  },
  sealedAnswers('signing'),
];
