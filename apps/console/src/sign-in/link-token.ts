/**
 * The token of a one-time link (`/login#token=…`, `/invitation#token=…`), and takes it out of the address: it would stay in the history of
 * the browser. Null when there is none.
 */
export function takeLinkToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Whether this is the page that the link of an invitation leads to. */
export const isInvitation = (): boolean => location.pathname === '/invitation';
