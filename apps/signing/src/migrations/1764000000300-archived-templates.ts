import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Templates that take no more requests, and the deletion of those that never had one. */
export class ArchivedTemplates1764000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [COLUMN, REQUIRE_OPEN, DELETE_UNUSED, GRANTS]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const COLUMN = `alter table signing.template add column archived_at timestamptz`;

/**
 * Refuses a request on a template that is archived or gone (CN410), in the transaction that charges for it, whatever the process had cached.
 * It takes no lock: DELETE archives the template first, and then waits until every earlier transaction has ended. Without settings of its
 * own, as it runs for every row: commit_work has set those of the planner.
 */
const REQUIRE_OPEN = `
  create function signing.require_open_template() returns trigger language plpgsql as $$
  begin
    perform 1 from signing.template t
      where t.id = new.template_id and t.tenant_id = new.tenant_id and t.archived_at is null;
    if not found then
      raise exception 'the template takes no more requests' using errcode = 'CN410';
    end if;
    return new;
  end $$;
  create trigger require_open_template before insert on signing.signature_request
    for each row execute function signing.require_open_template()`;

/** Deletes an archived template that has no request; answers whether it did. */
const DELETE_UNUSED = `
  create function signing.delete_unused_template(p_tenant_id uuid, p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  begin
    delete from template t
     where t.id = p_id and t.tenant_id = p_tenant_id and t.archived_at is not null
       and not exists (select from signature_request r where r.tenant_id = p_tenant_id and r.template_id = p_id);
    return found;
  end $$`;

const GRANTS = `
  revoke all on function signing.delete_unused_template from public;
  grant execute on function signing.delete_unused_template to signing_app`;
