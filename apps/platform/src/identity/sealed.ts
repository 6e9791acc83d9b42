import { sealedAnswers } from '@constancia/idempotency';
import type { SealedColumn } from '@constancia/persistence';
import { erasureRequestContext } from './privacy/module-erasures.ts';

/** Everything in the schema that SECRETS_KEY seals. */
export const IDENTITY_SEALED: readonly SealedColumn[] = [
  {
    table: 'identity.erasure_module',
    key: ['receipt_id', 'module'],
    column: 'sealed_request',
    where: 'sealed_request is not null',
    context: ({ receipt_id, module }) => erasureRequestContext(receipt_id as string, module as string),
  },
  sealedAnswers('identity'),
];
