import { AuditLog, changedValues } from '@constancia/auth';
import type { Principal, Tenant } from '@constancia/http';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound, StateConflict, UnprocessableEntity, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { PlatformConfig } from '../config.ts';
import { MemberSession } from '../members/member-session.entity.ts';
import { Member } from '../members/member.entity.ts';
import { requiredMethodOf, requireOwner, setRequiredMethod } from '../sign-in-settings/required-method.ts';
import { TenantRow } from '../tenants/tenant.entity.ts';
import { ProviderProblem } from './provider/provider-problem.ts';
import { Provider } from './provider/provider.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';
import { ssoRedirectUri, ssoSignInUrl } from '../members/sso-addresses.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import type { SsoBody } from './sso-body.ts';
import { ssoSecretContext } from './sso-secret.ts';
import { SsoView } from './sso-view.ts';
import { Sso } from './sso.entity.ts';

const NONE = 'The tenant has no single sign-on.';
const OBJECT = { kind: 'sso', id: null };

/** The OpenID provider of a tenant, as its owners set it. */
@Injectable()
export class SsoSettings {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly provider: Provider,
  ) {}

  /** Throws NotFound. */
  of(tenant: Tenant): Promise<SsoView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const row = await tx.manager.findOneBy(Sso, { tenant_id: tenant.id });
      if (row === null) throw new NotFound(NONE);
      return this.view(tx, tenant, row);
    });
  }

  /** Asks the provider before anything is stored. Throws Forbidden, ValidationError, UnprocessableEntity, StateConflict. */
  async put(principal: Principal, body: SsoBody, origin: string): Promise<SsoView> {
    requireOwner(principal);
    const { tenant } = principal;
    const secret = await this.database.tenant(tenant.id, async (tx) => {
      await requireVerifiedOwner(tx, tenant.id);
      return body.client_secret ?? (await this.storedSecret(tx, tenant.id, body));
    });
    refuseContradictions(body);
    await this.requireWorks(body, secret);
    return this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const before = await tx.manager.findOneBy(Sso, { tenant_id: tenant.id });
      const row: Sso = {
        tenant_id: tenant.id,
        version: uuidv7(),
        issuer: body.issuer,
        client_id: body.client_id,
        client_secret: this.secrets.seal(secret, ssoSecretContext(tenant.id)),
        domains: body.domains,
        role_claim: body.role_claim ?? null,
        role_map: body.role_map ?? null,
        updated_at: new Date(),
      };
      if (before === null) await tx.manager.insert(Sso, row);
      else await tx.manager.update(Sso, { tenant_id: tenant.id }, row);
      if (before !== null && !isSameClient(before, row)) await forgetProvider(tx, tenant.id);
      const required = await requiredMethodOf(tx, tenant.id);
      const wanted = body.enforce ? 'sso' : required === 'sso' ? null : required;
      if (wanted !== required) await setRequiredMethod(tx, principal, wanted, origin);
      const view = await this.view(tx, tenant, row);
      const values = changedValues(before === null ? {} : audited(before), {
        ...audited(row),
        ...(body.client_secret !== undefined && { client_secret: 'replaced' }),
      });
      await AuditLog.record(tx, { principal, action: 'sso.changed', object: OBJECT, ...values, origin });
      return view;
    });
  }

  /** Ends the sessions that the provider opened. Throws Forbidden, NotFound. */
  async remove(principal: Principal, origin: string): Promise<void> {
    requireOwner(principal);
    const { tenant } = principal;
    await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const before = await tx.manager.findOneBy(Sso, { tenant_id: tenant.id });
      if (before === null) throw new NotFound(NONE);
      if ((await requiredMethodOf(tx, tenant.id)) === 'sso') await setRequiredMethod(tx, principal, null, origin);
      await forgetProvider(tx, tenant.id);
      await tx.manager.delete(Sso, { tenant_id: tenant.id });
      await AuditLog.record(tx, { principal, action: 'sso.deleted', object: OBJECT, before: audited(before), origin });
    });
  }

  private async view(tx: Tx, { id, slug }: Tenant, row: Sso): Promise<SsoView> {
    return SsoView.of(row, {
      enforce: (await requiredMethodOf(tx, id)) === 'sso',
      redirect_uri: ssoRedirectUri(this.config.consoleAddress, slug),
      sign_in_url: ssoSignInUrl(this.config.consoleAddress, slug),
    });
  }

  /** The stored secret goes to the client that it was stored for, and to no other. */
  private async storedSecret(tx: Tx, tenantId: string, body: SsoBody): Promise<string> {
    const row = await tx.manager.findOneBy(Sso, { tenant_id: tenantId });
    if (row !== null && isSameClient(row, body)) {
      return this.secrets.open(row.client_secret, ssoSecretContext(tenantId)).toString('utf8');
    }
    const detail = 'Required: no secret is stored for this issuer and client_id.';
    throw new ValidationError([{ pointer: '/client_secret', code: 'required', detail }]);
  }

  private async requireWorks({ issuer, client_id }: SsoBody, secret: string): Promise<void> {
    try {
      await this.provider.discover(issuer, client_id, secret);
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      const { code, message: detail } = error;
      throw new UnprocessableEntity(detail, { errors: [{ pointer: '/issuer', code, detail }] });
    }
  }
}

const isSameClient = (a: Pick<Sso, 'issuer' | 'client_id'>, b: Pick<Sso, 'issuer' | 'client_id'>): boolean =>
  a.issuer === b.issuer && a.client_id === b.client_id;

/** Whom another provider vouches for is nobody that this one vouched for. */
async function forgetProvider(tx: Tx, tenantId: string): Promise<void> {
  await tx.manager.update(Member, { tenant_id: tenantId, sso_subject: Not(IsNull()) }, { sso_subject: null });
  await tx.manager.delete(MemberSession, { tenant_id: tenantId, method: 'sso' });
}

/** Who joins through the provider gets mails of the tenant. */
async function requireVerifiedOwner(tx: Tx, tenantId: string): Promise<void> {
  const verified = await tx.manager.existsBy(TenantRow, { id: tenantId, owner_email_verified_at: Not(IsNull()) });
  if (!verified) throw new StateConflict('Verify the address of the tenant’s owner first.');
}

function refuseContradictions({ issuer, role_claim, role_map, domains }: SsoBody): void {
  const errors = [];
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (url === null || url.search !== '' || url.hash !== '' || issuer.includes('/.well-known/')) {
    const detail = 'Must be the issuer: an https:// address without a query, a fragment and /.well-known/.';
    errors.push({ pointer: '/issuer', code: 'wrong_format', detail });
  }
  if ((role_claim === undefined) !== (role_map === undefined)) {
    const missing = role_claim === undefined ? 'role_claim' : 'role_map';
    errors.push({
      pointer: `/${missing}`,
      code: 'required',
      detail: 'Send role_claim and role_map together, or neither.',
    });
  }
  const anybodys = role_map === undefined ? -1 : domains.findIndex(isPublicMailDomain);
  if (anybodys >= 0) {
    const detail =
      'Anybody gets an address of this domain: with role_map, which adds members by itself, it is refused.';
    errors.push({ pointer: `/domains/${anybodys}`, code: 'public_mail_domain', detail });
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

/** Groups and domains are the tenant's words, not a person's. */
const audited = ({ issuer, client_id, domains, role_claim, role_map }: Sso) => ({
  ...{ issuer, client_id, domains, role_claim },
  role_map: role_map === null ? null : { ...role_map },
});
