/** The ops port that this page came from. The token lives in this module's memory only: reloading the page forgets it. */

let token = '';
let operator = '';
let offered = [];

/** What the process refused, or that it does not answer; `status` 0. */
export class OpsError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const signedIn = () => token !== '';
export const operatorName = () => operator;

/** Whether the process behind this page answers this path: each module shows what is its own. */
export const offers = (path) => offered.some((action) => action.method === 'GET' && action.path === path);

export function forget() {
  token = '';
  operator = '';
  offered = [];
}

/** Tries the token. @throws OpsError */
export async function signIn(givenToken, name) {
  token = givenToken;
  operator = name;
  try {
    const index = await get('/ops');
    operator = index.operator.name;
    offered = index.actions;
  } catch (error) {
    forget();
    throw error;
  }
}

export const get = (path, query = {}) => call('GET', path, query);
export const post = (path, body = {}) => call('POST', path, {}, body);

async function call(method, path, query, body) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  const headers = { authorization: `Bearer ${token}`, ...(operator && { 'x-operator': operator }) };
  let response;
  let text;
  try {
    response = await fetch(url, { method, headers, cache: 'no-store', body: body ? JSON.stringify(body) : undefined });
    text = await response.text();
  } catch {
    throw new OpsError(0, '');
  }
  if (response.ok) return JSON.parse(text);
  throw new OpsError(response.status, sentenceIn(text));
}

function sentenceIn(text) {
  try {
    return String(JSON.parse(text).error ?? '');
  } catch {
    return '';
  }
}
