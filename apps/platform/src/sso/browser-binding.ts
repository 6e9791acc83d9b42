import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Binding } from './provider/provider.ts';

/** 256 random bits as 43 characters of base64url: of the state, and of the cookie. */
export const BINDING_VALUE = /^[A-Za-z0-9_-]{43}$/;

export const newBindingValue = (): string => randomBytes(32).toString('base64url');

/**
 * What a sign-in is bound to. Nonce and PKCE verifier follow from the cookie of the browser that began it and from the state: nothing that is
 * stored is enough to finish it, and the code of a sign-in that another browser began is worth nothing here.
 */
export function bindingOf(cookie: string, state: string, redirectUri: string): Binding {
  const derive = (purpose: string): string =>
    createHmac('sha256', cookie).update(`${purpose}:${state}`).digest('base64url');
  return { redirectUri, state, nonce: derive('nonce'), codeVerifier: derive('code_verifier') };
}

export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();
