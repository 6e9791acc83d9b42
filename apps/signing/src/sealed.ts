import { sealedAnswers } from '@constancia/idempotency';
import type { SealedColumn } from '@constancia/persistence';
import { signTokenContext } from './envelope-records/sign-tokens.ts';
import { signerMailContext } from './mails/signer-mails.ts';
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
  sealedAnswers('signing'),
];
