import { OAuthRefused, type Problem } from '@constancia/problem-json';

/** Characters that an error_description may not have (RFC 6749, section 5.2). */
const NOT_ALLOWED = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;
const MAX_LENGTH = 500;

/** What a route of OAuth answers for a problem. */
export function oauthDocument(problem: Problem): { error: string; error_description: string } {
  const description = problem.detail.replace(NOT_ALLOWED, "'").slice(0, MAX_LENGTH);
  return { error: errorOf(problem), error_description: description };
}

function errorOf(problem: Problem): string {
  if (problem instanceof OAuthRefused) return problem.code;
  if (problem.status === 401) return 'invalid_token';
  if (problem.status === 429 || problem.status === 503) return 'temporarily_unavailable';
  return problem.status < 500 ? 'invalid_request' : 'server_error';
}
