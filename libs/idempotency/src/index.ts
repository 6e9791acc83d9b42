export { ExpiredIdempotencyKeys } from './forget-expired-keys.ts';
export { requestFingerprint } from './fingerprint.ts';
export type { RequestIdentity } from './fingerprint.ts';
export { Idempotency, stillRunning } from './idempotency.ts';
export type { IdempotentRequest, Protection, StoredColumns, StoredResponse, StoredRow } from './idempotency.ts';
export { ownedAnswers } from './owned-answers.ts';
export type { AnswerOwner, OwnerKey } from './owned-answers.ts';
export { idempotencySchema } from './schema.ts';
export { sealedAnswers } from './sealed-answers.ts';
