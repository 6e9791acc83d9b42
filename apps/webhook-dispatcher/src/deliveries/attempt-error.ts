import { TargetRefused } from '@constancia/events';

/** Why an attempt has no answer, for the endpoint's owner: a stable code and a sentence without addresses of ours. */
export interface AttemptError {
  code: string;
  detail: string;
}

const BY_CODE: [pattern: RegExp, error: AttemptError][] = [
  [/^ECONNREFUSED$/, { code: 'connection_refused', detail: 'The receiver refused the connection.' }],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED)$/,
    { code: 'connection_closed', detail: 'The receiver closed the connection before it answered.' }],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/,
    { code: 'timeout', detail: 'The receiver did not answer in time.' }],
  [/^(ENOTFOUND|ENODATA|EAI_.*|ESERVFAIL|EREFUSED|ETIMEOUT|EBADRESP|EBADNAME|ENONAME|EFORMERR|ECANCELLED)$/,
    { code: 'dns_failed', detail: 'The name of the host could not be resolved.' }],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/,
    { code: 'unreachable', detail: 'The network has no way to the receiver.' }],
  [/^(ERR_TLS_.*|ERR_SSL_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|EPROTO|HOSTNAME_MISMATCH)$/,
    { code: 'tls_failed', detail: 'No trusted TLS connection could be made to the receiver.' }],
  [/^(HPE_.*|UND_ERR_(HEADERS_OVERFLOW|RESPONSE|RES_.*))$/,
    { code: 'invalid_response', detail: 'The answer is not valid HTTP.' }],
]; // prettier-ignore

/** Names what kept an attempt from being answered. Anything unknown is `network_error` with the system's code. */
export function failureOf(error: Error): AttemptError {
  if (error instanceof TargetRefused) return { code: error.code, detail: error.message };
  const { syscall } = error as NodeJS.ErrnoException;
  const code = error.name === 'HTTPParserError' ? 'HPE_' : (error as NodeJS.ErrnoException).code;
  // A name server that refuses is no receiver that refuses.
  if (syscall?.startsWith('query'))
    return { code: 'dns_failed', detail: 'The name of the host could not be resolved.' };
  const known = BY_CODE.find(([pattern]) => pattern.test(code ?? ''));
  if (known) return known[1];
  const shown = code !== undefined && /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
  return { code: 'network_error', detail: `The request could not be made${shown}.` };
}
