/**
 * An OpenID provider (oidc-provider) on loopback, in which anybody signs in as any of its accounts by pressing a button. For tests of single
 * sign-on; it keeps everything in memory.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import Provider from 'oidc-provider';

/**
 * @typedef {{ id: string, email?: string, email_verified?: boolean, name?: string, groups?: string[] }} OpenidAccount
 * @typedef {{ issuer: string, clientId: string, clientSecret: string, accounts: Map<string, OpenidAccount>,
 *   signIn(location: string, accountId: string): Promise<string>, close(): Promise<void>, reopen(): Promise<void> }} OpenidProvider
 */

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function signingKeys() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] };
}

function configurationOf({ redirectUris, accounts, clientId, clientSecret }) {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: signingKeys(),
    pkce: { required: () => true },
    ttl: { AccessToken: 300, AuthorizationCode: 60, IdToken: 300, Grant: 600, Interaction: 600, Session: 600 },
    findAccount: (_context, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: () => ({ sub: id, ...account, id: undefined }) };
    },
    // Everybody has agreed to everything.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  };
}

function page(uid, accounts) {
  const buttons = [...accounts.keys()].map(
    (id) => `<p><button name="account" value="${escape(id)}">${escape(id)}</button></p>`,
  );
  return `<!doctype html><title>Sign in</title><form method="post" action="/interaction/${uid}">${buttons.join('')}</form>`;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Follows the provider's redirects as a browser does, choosing the account; answers the address that leads back to the client. */
async function signIn(issuer, location, accountId) {
  const cookies = new Map();
  let next = location;
  let init = {};
  for (let step = 0; step < 10; step++) {
    if (!next.startsWith(issuer)) return next;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(next, { ...init, redirect: 'manual', headers: { cookie } });
    await answer.arrayBuffer();
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    if (to !== null) [next, init] = [new URL(to, next).href, {}];
    else if (answer.status === 200) init = { method: 'POST', body: new URLSearchParams({ account: accountId }) };
    else throw new Error(`the provider answered ${answer.status}`);
  }
  throw new Error('the provider leads in circles');
}

/**
 * @param {{ redirectUris: string[], accounts: OpenidAccount[], hostname?: string }} options hostname: as the issuer names itself; `localhost`
 *   is another site than 127.0.0.1 for a browser
 * @returns {Promise<OpenidProvider>}
 */
export async function startOpenidProvider({ redirectUris, accounts, hostname = '127.0.0.1' }) {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const [clientId, clientSecret] = ['constancia', randomBytes(24).toString('base64url')];
  let handle = (_request, response) => response.end();
  let server = http.createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const issuer = `http://${hostname}:${port}`;

  const provider = new Provider(issuer, configurationOf({ redirectUris, accounts: byId, clientId, clientSecret }));
  const rest = provider.callback();
  handle = async (request, response) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url)?.[1];
    if (uid === undefined) return rest(request, response);
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(page(uid, byId));
    }
    const accountId = (await bodyOf(request)).get('account');
    await provider.interactionFinished(request, response, { login: { accountId } });
  };

  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const reopen = async () => {
    server = http.createServer((request, response) => handle(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  return {
    ...{ issuer, clientId, clientSecret, accounts: byId, close, reopen },
    signIn: (location, accountId) => signIn(issuer, location, accountId),
  };
}
