import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The certificates that documents are sealed with now: how long they last is watched (ADR 0241). */
export class SigningCertificates1764000007300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CERTIFICATES, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Of the platform (tenant_id null) and of every tenant that is not closed, in the order of the fingerprints after p_after. */
const CERTIFICATES = `
  create function signing.certificates_in_use(p_after bytea, p_limit integer)
  returns table (fingerprint bytea, tenant_id uuid, certificate_der bytea, certificate_chain_der bytea[])
  language sql stable security definer set search_path = signing, pg_temp as $$
    select k.fingerprint, k.tenant_id, k.certificate_der, k.certificate_chain_der
      from signing_key k
     where k.status = 'active' and k.certificate_der is not null and k.fingerprint > p_after
       and not exists (select from platform_v1.closed_tenants() c where c.tenant_id = k.tenant_id)
     order by k.fingerprint limit p_limit
  $$`;

const GRANTS = `
  revoke all on function signing.certificates_in_use from public;
  grant execute on function signing.certificates_in_use to signing_app`;
