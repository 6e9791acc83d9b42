import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members are notified before the certificate of their tenant's seal ends (ADR 0226, ADR 0241). */
export class CertificateNotifications1764000007300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NOTIFY_OF_CERTIFICATE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Notifies those who can set another certificate. p_occasion: what makes it one of its kind. */
const NOTIFY_OF_CERTIFICATE = `
  create function platform_v1.notify_of_certificate(p_tenant_id uuid, p_occasion text) returns void
  language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  declare
    v_members uuid[];
  begin
    perform require_tenant(p_tenant_id);
    perform require_module('seal');
    select array_agg(m.id) into v_members
      from member m where m.tenant_id = p_tenant_id and m.status = 'active' and m.role in ('owner', 'admin');
    perform write_notifications('certificate_ends', null, p_occasion, v_members, v_members);
  end $$`;

const GRANTS = `
  revoke all on function platform_v1.notify_of_certificate from public;
  grant execute on function platform_v1.notify_of_certificate to signing_app, signing_owner`;
