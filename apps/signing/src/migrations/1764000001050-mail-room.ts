import { allowCommit } from '@constancia/credit-ledger';
import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the mails on behalf of a tenant, to one address and in total, over any 24 hours. */
export class MailRoom1764000001050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      MAIL_TAKEN,
      tenantTable('signing', 'mail_taken', []),
      TAKE,
      FORGET,
      allowCommit('signing', { functions: ['take_mail_room'] }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * address_index: keyed digest of the address, never the address, so that the count outlives an erasure; null: counts for the tenant
 * alone. taken_at may lie ahead: a mail that waits for its turn.
 */
const MAIL_TAKEN = `
  create table signing.mail_taken (
    tenant_id uuid not null,
    address_index bytea,
    taken_at timestamptz not null
  );
  create index mail_taken_of_address on signing.mail_taken (tenant_id, address_index, taken_at desc);
  create index mail_taken_of_tenant on signing.mail_taken (tenant_id, taken_at desc);
  create index mail_taken_at on signing.mail_taken (taken_at)`;

/**
 * Takes room for mails. p_args: {addresses: [hexadecimal index or null], per_address, per_tenant?, wait?}. When there is none, raises
 * CN429 with {limit, until} as its detail; with wait takes the next room there will be. Answers when the (last) mail may go out, null
 * for at once. Also a call of commit_work. One caller of a tenant at a time.
 */
const TAKE = `
  create function signing.take_mail_room(p_tenant_id uuid, p_args jsonb) returns timestamptz
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    v_per_address constant integer := (p_args ->> 'per_address')::integer;
    v_per_tenant constant integer := (p_args ->> 'per_tenant')::integer;
    v_address text;
    v_at timestamptz;
    v_now timestamptz;
    v_free timestamptz;
  begin
    perform pg_advisory_xact_lock(hashtextextended('signing.mail_taken:' || p_tenant_id, 0));
    v_now := clock_timestamp();
    for v_address in select a.value from jsonb_array_elements_text(p_args -> 'addresses') a loop
      v_at := v_now;
      if v_address is not null then
        select t.taken_at + interval '1 day' into v_free from mail_taken t
         where t.tenant_id = p_tenant_id and t.address_index = decode(v_address, 'hex')
         order by t.taken_at desc offset v_per_address - 1 limit 1;
        if found and v_free > v_at then
          if not coalesce((p_args ->> 'wait')::boolean, false) then
            raise exception 'no room for a mail' using errcode = 'CN429',
              detail = jsonb_build_object('limit', 'address', 'until', extract(epoch from v_free))::text;
          end if;
          v_at := v_free;
        end if;
      end if;
      if v_per_tenant is not null then
        select t.taken_at + interval '1 day' into v_free from mail_taken t
         where t.tenant_id = p_tenant_id
         order by t.taken_at desc offset v_per_tenant - 1 limit 1;
        if found and v_free > v_at then
          if not coalesce((p_args ->> 'wait')::boolean, false) then
            raise exception 'no room for a mail' using errcode = 'CN429',
              detail = jsonb_build_object('limit', 'tenant', 'until', extract(epoch from v_free))::text;
          end if;
          v_at := v_free;
        end if;
      end if;
      insert into mail_taken (tenant_id, address_index, taken_at) values (p_tenant_id, decode(v_address, 'hex'), v_at);
    end loop;
    return nullif(v_at, v_now);
  end $$`;

/** Deletes rows that no longer count, 500 at a time. */
const FORGET = `
  create function signing.forget_mail_counts() returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    delete from mail_taken where ctid = any (array(
      select t.ctid from mail_taken t where t.taken_at < now() - interval '1 day' limit 500 for update skip locked))
  $$`;

const GRANTS = `
  revoke all on function signing.take_mail_room, signing.forget_mail_counts from public;
  grant execute on function signing.take_mail_room, signing.forget_mail_counts to signing_app`;
