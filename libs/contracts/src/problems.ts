/** Every problem that a host may answer with: its status, title and what the caller can do (shown at /problems/<slug>). */
export const PROBLEMS = {
  'validation-error': { status: 400, title: 'The request is not valid', help: 'Correct every item of errors, then send it again.' },
  'bad-request': { status: 400, title: 'The request cannot be read', help: 'Correct what detail names, then send it again.' },
  'validation-not-draft': { status: 400, title: 'Only a draft validation can be changed', help: 'Clone the validation, change the draft, publish it.' },
  unauthorized: { status: 401, title: 'The credential is not valid here', help: 'Present a credential that this operation accepts.' },
  'invalid-api-key': { status: 401, title: 'The API key is missing or wrong', help: 'Send the tenant key in X-API-Key; a lost key is replaced by rotation.' },
  'insufficient-acai': { status: 402, title: 'The credit balance is too low', help: 'Top up the balance, then send the same request again.' },
  forbidden: { status: 403, title: 'The credential does not permit this', help: 'Use a credential that has the permission that detail names.' },
  'tenant-suspended': { status: 403, title: 'The tenant is suspended', help: 'Nothing was changed or charged. An owner of the tenant can write to Constancia.' },
  'tenant-closing': { status: 403, title: 'The tenant is being closed', help: 'Nothing was changed or charged. An owner can reconsider with DELETE /tenants/{id}/closing until closes_at.' },
  'not-found': { status: 404, title: 'No such resource', help: 'Check the path and the identifier.' },
  'method-not-allowed': { status: 405, title: 'This path has no such method', help: 'Use one of the methods in the Allow header.' },
  conflict: { status: 409, title: 'The request collides with one under way', help: 'Wait for Retry-After seconds and send the same request again.' },
  'state-conflict': { status: 409, title: 'The resource is not in a state that allows this', help: 'Read the resource and act on its present state.' },
  'duplicate-key': { status: 409, title: 'This key is already used', help: 'Choose another value.' },
  'payload-too-large': { status: 413, title: 'The body is too large', help: 'Send a body within the limit that detail names.' },
  'unsupported-media-type': { status: 415, title: 'This content type is not accepted', help: 'Send the content type that detail names.' },
  'unprocessable-entity': { status: 422, title: 'The request was understood but cannot be carried out', help: 'Follow detail.' },
  'kyc-rejected': { status: 422, title: 'The subject was rejected', help: 'Read rejection_reason.' },
  'rate-limit-exceeded': { status: 429, title: 'Too many requests', help: 'Wait until X-RateLimit-Reset.' },
  'internal-error': { status: 500, title: 'Something went wrong on our side', help: 'Try again; tell us the request_id if it stays.' },
  'database-unavailable': { status: 503, title: 'The store cannot be reached', help: 'Try again with exponential backoff.' },
  'dependency-unavailable': { status: 503, title: 'A service that this needs cannot be reached', help: 'Try again after Retry-After seconds.' },
  'payment-provider-unavailable': { status: 503, title: 'The payment provider cannot be reached', help: 'Try again after Retry-After seconds, with the same Idempotency-Key.' },
} as const satisfies Record<string, { status: number; title: string; help: string }>; // prettier-ignore

export type ProblemSlug = keyof typeof PROBLEMS;
