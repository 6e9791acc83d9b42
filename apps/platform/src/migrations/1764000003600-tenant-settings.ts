import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tenant changes of itself: its name, language, branding, and its owner's address, which counts once it is proven (ADR 0177). */
export class TenantSettings1764000003600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      COLUMN,
      LOGO,
      tenantTable('platform', 'tenant_logo', ['select', 'insert', 'update', 'delete']),
      CHANGE,
      tenantTable('platform', 'owner_email_change', ['select', 'insert', 'update']),
      ANNOUNCE,
      BRANDING,
      OWNER_EMAIL,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const COLUMN = `alter table platform.tenant add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$')`;

/** The bytes as they are served: written by us, whatever was uploaded. */
const LOGO = `
  create table platform.tenant_logo (
    tenant_id uuid primary key references platform.tenant,
    sha256 bytea not null check (octet_length(sha256) = 32),
    width integer not null,
    height integer not null,
    bytes bytea not null check (octet_length(bytes) <= 524288),
    created_at timestamptz(3) not null default now()
  );
  create index tenant_logo_by_hash on platform.tenant_logo (sha256)`;

/**
 * One per tenant, the last that was asked for: another one replaces it, with its tokens. email is null once it was proven, stopped or withdrawn;
 * asked_at: of the past day, whatever became of them. member_id: the owner whose address changes; null where another owner's address becomes
 * the tenant's. Hashes: SHA-256 of tokens that were mailed.
 */
const CHANGE = `
  create table platform.owner_email_change (
    tenant_id uuid primary key references platform.tenant,
    id uuid not null,
    email text check (length(email) <= 254),
    member_id uuid,
    proof_hash bytea,
    stop_hash bytea,
    requested_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    asked_at timestamptz[] not null
  )`;

/** Processes remember the name with the credential: every credential of the tenant is read again. */
const ANNOUNCE = `
  create function platform.announce_credentials(p_tenant_id uuid) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    select pg_notify('api_key_changed', encode(h.hash, 'hex'))
      from (select k.key_hash as hash from api_key k where k.tenant_id = p_tenant_id and k.status <> 'revoked'
            union all select t.token_hash from member_token t where t.tenant_id = p_tenant_id) h
  $$;
  create function platform.announce_tenant() returns trigger ${AS_OWNER} as $$
  begin
    perform announce_credentials(new.id);
    return null;
  end $$;
  create trigger announce after update of display_name on platform.tenant
    for each row when (old.display_name is distinct from new.display_name) execute function platform.announce_tenant()`;

/** How a tenant shows itself to others. A later version gets another name: processes of two releases read these functions at once. */
const BRANDING = `
  create function platform_v1.tenant_branding(p_tenant_id uuid)
  returns table (display_name text, locale text, color text, logo_sha256 text, logo_width integer, logo_height integer)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.display_name, t.locale, t.brand_color, encode(l.sha256, 'hex'), l.width, l.height
      from tenant t left join tenant_logo l on l.tenant_id = t.id where t.id = p_tenant_id
  $$;

  create function platform.public_logo(p_sha256 bytea) returns bytea
  language sql stable security definer set search_path = platform, pg_temp as $$
    select l.bytes from tenant_logo l where l.sha256 = p_sha256 limit 1
  $$`;

/**
 * announce_owner_email: queues the mails to both addresses, the former one written down, since it may be another by the time of the mail.
 * issue_owner_email_token: keeps the token of a mail that is about to go out; false when another change was asked for meanwhile.
 * end_mailed_tokens: what was mailed to the former address ends.
 */
const OWNER_EMAIL = `
  create function platform.announce_owner_email(p_tenant_id uuid, p_change_id uuid, p_old_email text, p_new_email text) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into owner_notice (tenant_id, kind, detail)
    select p_tenant_id, m.kind, json_build_object('change_id', p_change_id, 'email', m.email)::text
      from (values ('owner_email_change', p_new_email), ('owner_email_change_asked', p_old_email)) as m(kind, email)
  $$;

  create function platform.issue_owner_email_token(p_tenant_id uuid, p_change_id uuid, p_kind text, p_token_hash bytea) returns boolean
  ${AS_OWNER} as $$
  begin
    update owner_email_change c
       set proof_hash = case when p_kind = 'proof' then p_token_hash else c.proof_hash end,
           stop_hash = case when p_kind = 'stop' then p_token_hash else c.stop_hash end
     where c.tenant_id = p_tenant_id and c.id = p_change_id and c.email is not null and c.expires_at > now();
    return found;
  end $$;

  create function platform.end_mailed_tokens(p_tenant_id uuid) returns void ${AS_OWNER} as $$
  begin
    perform require_tenant(p_tenant_id);
    delete from owner_proof p where p.tenant_id = p_tenant_id;
    delete from owner_notice n where n.tenant_id = p_tenant_id and n.kind = 'owner_email_proof';
    delete from recovery_token r where r.tenant_id = p_tenant_id and r.used_at is null;
  end $$`;

const OF_THE_PLATFORM =
  'platform.public_logo, platform.announce_owner_email, platform.issue_owner_email_token, platform.end_mailed_tokens';

const GRANTS = `
  revoke all on function ${OF_THE_PLATFORM}, platform.announce_credentials, platform.announce_tenant, platform_v1.tenant_branding from public;
  grant execute on function ${OF_THE_PLATFORM} to platform_app;
  grant execute on function platform_v1.tenant_branding
    to platform_app, identity_app, identity_owner, compliance_app, compliance_owner, signing_app, signing_owner`;
