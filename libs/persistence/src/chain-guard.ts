import type { ChainedTable } from './hash-chain.ts';
import { ownersTable } from './tenant-table.ts';

/** The closed list of what a chain may hold. */
export interface ChainTypes {
  /** Event types that are added in a transaction of their tenant. */
  types: readonly string[];
  /** Event types that the schema's own functions add across tenants (sweeps, workers): the transaction may have no tenant. */
  acrossTenants?: readonly string[];
}

/** SQL of the table that lists the event types of a schema's chains, and of the trigger function that reads it. */
export function chainTypeTable(schema: string): string {
  return `
    create table ${schema}.chain_type (
      chain text not null,
      type text not null,
      across_tenants boolean not null default false,
      primary key (chain, type)
    );
    ${ownersTable(schema, 'chain_type')}

    create function ${schema}.guard_chain() returns trigger
    language plpgsql security definer set search_path = ${schema}, pg_temp as $$
    declare
      own_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
      listed chain_type;
    begin
      select * into listed from chain_type c where c.chain = tg_table_name and c.type = new.type;
      if not found then
        raise exception '% holds no events of type %', tg_table_name, new.type using errcode = 'CN403';
      end if;
      if new.tenant_id is distinct from own_tenant and not (own_tenant is null and (listed.across_tenants
           or pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user), '${schema}_owner', 'member'))) then
        raise exception 'the event belongs to another tenant than the transaction' using errcode = 'CN403';
      end if;
      return new;
    end $$;
    revoke all on function ${schema}.guard_chain from public;
  `;
}

/** SQL that makes a chain accept only listed types (allowChainTypes), each in a transaction of the event's tenant. */
export function guardChain({ schema, table }: ChainedTable): string {
  return `create trigger guard before insert on ${schema}.${table} for each row execute function ${schema}.guard_chain();`;
}

/** SQL that adds event types to what a chain may hold; for migrations. */
export function allowChainTypes({ schema, table }: ChainedTable, { types, acrossTenants = [] }: ChainTypes): string {
  const rows = [...types.map((type) => [type, false] as const), ...acrossTenants.map((type) => [type, true] as const)];
  return `
    insert into ${schema}.chain_type (chain, type, across_tenants)
    values ${rows.map(([type, across]) => `('${table}', '${type}', ${across})`).join(', ')}
    on conflict (chain, type) do update set across_tenants = excluded.across_tenants;`;
}
