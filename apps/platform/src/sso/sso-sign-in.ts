import type { SsoFailure } from '@constancia/contracts';
import { Database, type Tx } from '@constancia/persistence';
import { TenantSuspended } from '@constancia/problem-json';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { AuthorizationResponseError } from 'openid-client';
import { PlatformConfig } from '../config.ts';
import { type Browser, ConsoleSessions, type OpenedSession } from '../console/console-sessions.ts';
import { ssoRedirectUri } from '../members/sso-addresses.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { requireActive } from '../tenants/tenant-standing.ts';
import { type Account, accountOf } from './account.ts';
import { admitAccount } from './admit-account.ts';
import { bindingOf, hashOf, newBindingValue } from './browser-binding.ts';
import { Provider, ProviderUnavailable } from './provider/provider.ts';
import { SsoAttempt } from './sso-attempt.entity.ts';
import { Sso } from './sso.entity.ts';

/** Time to sign in at the provider. */
export const ATTEMPT_SECONDS = 600;
const SWEEP_MS = 60_000;

/** Single sign-on on the console host: what begins in a browser is finished there, once. */
@Injectable()
export class SsoSignIn extends PeriodicWork {
  private readonly failures;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly provider: Provider,
    private readonly sessions: ConsoleSessions,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'sso-attempts', everyMs: SWEEP_MS, logger });
    this.failures = metrics.counter('sso_failures_total', 'Single sign-ons that signed nobody in', ['reason']);
  }

  /** Deletes what was begun and never finished. */
  override async run(): Promise<void> {
    await this.database.query('select platform.forget_sso_attempts()');
  }

  /** Where to send the browser, and the cookie that it is to keep; null: no such tenant, or one without a provider. Throws ProviderUnavailable, TenantSuspended. */
  async begin(slug: string): Promise<{ location: string; cookie: string } | null> {
    const sso = await this.ssoOf(slug);
    if (sso === null) return null;
    await requireActive(this.database, sso.tenant_id);
    const [state, cookie] = [newBindingValue(), newBindingValue()];
    const binding = bindingOf(cookie, state, ssoRedirectUri(this.config.consoleAddress, slug));
    const location = await this.provider.authorizationUrl(sso, binding).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) this.failures.inc({ reason: 'unavailable' });
      throw error;
    });
    const { tenant_id, version } = sso;
    const expires_at = new Date(Date.now() + ATTEMPT_SECONDS * 1_000);
    const attempt = { state_hash: hashOf(state), browser_hash: hashOf(cookie), tenant_id, version, expires_at };
    await this.database.tenant(tenant_id, (tx) => tx.manager.insert(SsoAttempt, attempt));
    return { location, cookie };
  }

  /** The browser is back with an answer of the provider. */
  async finish(
    slug: string,
    query: string,
    cookie: string | undefined,
    browser: Browser,
  ): Promise<OpenedSession | SsoFailure> {
    const result = await this.resultOf(slug, query, cookie, browser);
    const failure = typeof result === 'string' ? result : null;
    this.sessions.count('sso', failure === null ? 'ok' : 'failed');
    if (failure !== null) this.failures.inc({ reason: failure });
    return result;
  }

  private async resultOf(
    slug: string,
    query: string,
    cookie: string | undefined,
    browser: Browser,
  ): Promise<OpenedSession | SsoFailure> {
    const state = new URLSearchParams(query).get('state');
    const sso = cookie === undefined || state === null ? null : await this.ssoOf(slug);
    if (sso === null) return 'expired';
    const isBegun = await this.database.tenant(sso.tenant_id, (tx) =>
      takeAttempt(tx, sso, hashOf(state as string), hashOf(cookie as string)),
    );
    if (!isBegun) return 'expired';
    const redirectUri = ssoRedirectUri(this.config.consoleAddress, slug);
    const account = await this.accountOf(sso, query, bindingOf(cookie as string, state as string, redirectUri));
    if (typeof account === 'string') return account;
    try {
      return await this.database.tenant(sso.tenant_id, (tx) => this.open(tx, sso, account, browser));
    } catch (error) {
      if (error instanceof TenantSuspended) return 'tenant_suspended';
      throw error;
    }
  }

  private async open(tx: Tx, sso: Sso, account: Account, browser: Browser): Promise<OpenedSession | SsoFailure> {
    await lockTenant(tx, sso.tenant_id); // its settings do not change from here on
    if (!(await tx.manager.existsBy(Sso, { tenant_id: sso.tenant_id, version: sso.version }))) return 'expired';
    const admitted = await admitAccount(tx, sso, account, browser.ip);
    if (typeof admitted === 'string') return admitted;
    const result = await this.sessions.openFor(tx, admitted.member.id, 'sso', browser);
    await admitted.record();
    return result.outcome === 'open' ? result : 'passkey_required';
  }

  private async accountOf(
    sso: Sso,
    query: string,
    binding: ReturnType<typeof bindingOf>,
  ): Promise<Account | SsoFailure> {
    try {
      return accountOf(await this.provider.claimsOf(sso, query, binding), sso);
    } catch (error) {
      if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused';
      const reason = error instanceof ProviderUnavailable ? 'unavailable' : 'refused';
      this.logger.warn({ err: error, tenant_id: sso.tenant_id, reason }, 'a single sign-on failed');
      return reason;
    }
  }

  private async ssoOf(slug: string): Promise<Sso | null> {
    const [row] = await this.database.query<{ id: string | null }>('select platform.sso_tenant($1) as id', [slug]);
    const id = row?.id ?? null;
    return id === null ? null : this.database.tenant(id, (tx) => tx.manager.findOneBy(Sso, { tenant_id: id }));
  }
}

/** Whether this browser began this sign-in with these settings, and nobody has finished it. */
async function takeAttempt(
  tx: Tx,
  { tenant_id, version }: Sso,
  state_hash: Buffer,
  browser_hash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from platform.sso_attempt
      where tenant_id = $1 and version = $2 and state_hash = $3 and browser_hash = $4 and expires_at > now() returning 1`,
    [tenant_id, version, state_hash, browser_hash],
  );
  return rows.length === 1;
}
