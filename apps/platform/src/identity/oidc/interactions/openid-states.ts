import {
  CONSENT_METHODS,
  type ConsentMethod,
  type KeepText,
  type OpenIdState,
  type PersonLocale,
} from '@constancia/contracts';
import { StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { Interaction } from 'oidc-provider';
import { tenantOnPage } from '../../hosted/tenant-on-page.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { pageNonce } from '../../page-browsers.ts';
import { claimLabel, currentSignInText, signInPurpose } from '../../wallet/share-texts.ts';
import { ACR } from '../provider/oidc-issuer.ts';
import type { Agreement } from '../provider/releases.ts';
import { askedClaims } from './asked-claims.ts';
import { OPENID_LINK, type OpenIdBearer } from './openid-links.ts';

/** What a person was shown who agrees. */
export interface ShownText {
  version: string;
  locale: PersonLocale;
  sha256: string;
}

/** What the page of an interaction shows. */
@Injectable()
export class OpenIdStates {
  constructor(private readonly database: IdentityDatabase) {}

  async state(bearer: OpenIdBearer, browser: string, locale: PersonLocale): Promise<OpenIdState> {
    const { interaction, client } = bearer;
    const isSignIn = interaction.prompt.name === 'login';
    const tenant = await tenantOnPage(this.database, bearer.tenantId);
    return {
      step: isSignIn ? 'sign_in' : 'agree',
      locale,
      tenant,
      client: { name: client.clientName },
      claims: askedClaims(interaction).names.map((name) => ({ name, label: claimLabel(name, locale) })),
      methods: isSignIn ? methodsOf(interaction) : [],
      text: isSignIn ? null : textOf(bearer, tenant.display_name, locale),
      returns_to: new URL(interaction.params.redirect_uri as string).host,
      expires_at: new Date(interaction.exp * 1_000).toISOString(),
      nonce: pageNonce(OPENID_LINK, browser),
    };
  }

  /** What was shown is what is agreed to; null: nothing is given. Throws StateConflict before the sign-in, ValidationError. */
  async agreed(
    bearer: OpenIdBearer,
    shown: Partial<ShownText>,
    origin: Pick<Agreement, 'ip' | 'userAgent'>,
  ): Promise<Agreement | null> {
    if (bearer.interaction.prompt.name !== 'consent') throw new StateConflict('Sign in first.');
    const locale = shown.locale ?? 'es-CO';
    const { display_name: tenantName } = await tenantOnPage(this.database, bearer.tenantId);
    const text = textOf(bearer, tenantName, locale);
    if (text === null) return null;
    if (text.version !== shown.version || text.sha256 !== shown.sha256) {
      const detail = 'Send that of the text as it was answered.';
      throw new ValidationError([{ pointer: '/sha256', code: 'mismatch', detail }]);
    }
    const { version, sha256 } = text;
    const purpose = signInPurpose(locale, bearer.client.clientName);
    return { version, locale, sha256, tenantName, purpose, ...origin };
  }
}

function textOf({ interaction, client }: OpenIdBearer, tenantName: string, locale: PersonLocale): KeepText | null {
  const { names } = askedClaims(interaction);
  if (names.length === 0) return null;
  const purpose = signInPurpose(locale, client.clientName);
  return currentSignInText(locale, { tenant_name: tenantName, purpose, claims: names });
}

/** Those that give what the ID token has to say; all of them when it may say anything. */
function methodsOf({ prompt }: Interaction): ConsentMethod[] {
  const { acr } = prompt.details;
  const wanted = acr?.essential ? [acr.value, ...(acr.values ?? [])].filter((value) => value !== undefined) : [];
  const given: Record<ConsentMethod, string> = { otp: ACR.code, passkey: ACR.passkey };
  const fitting = CONSENT_METHODS.filter((method) => wanted.includes(given[method]));
  return fitting.length > 0 ? fitting : [...CONSENT_METHODS];
}
