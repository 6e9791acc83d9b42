import { operations, type TenantRow } from '@constancia/operations';
import { Button, Facts, Table } from '@constancia/web';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useOperations } from '../parts/use-operations.ts';
import { useText } from '../text/language.ts';
import type { Messages } from '../text/messages.ts';

export const TenantsView = ({ id }: { id: string }) => (id === '' ? <Tenants /> : <Tenant name={id} />);

/** Tenants and their credits, newest first. */
function Tenants() {
  const { text, number, clock } = useText();
  return (
    <FilteredList
      title={text.sections.tenants}
      request={operations.tenants}
      keyOf={({ id }) => id}
      fields={[{ name: 'search', label: text.slugOrName }]}
      columns={[
        { title: text.tenantShort, of: ({ slug }) => <a href={`#tenants/${slug}`}>{slug}</a>, wide: true },
        { title: text.name, of: ({ display_name: name }) => name, wide: true },
        { title: text.plan, of: ({ plan }) => plan },
        { title: text.credits, of: ({ available }) => number(available) },
        { title: text.held, of: ({ held }) => number(held) },
        { title: text.status, of: ({ standing }) => text.standings[standing] },
        { title: text.created, of: ({ created_at: at }) => clock(at) },
      ]}
    />
  );
}

const standingOf = (
  { standing, standing_since: since }: TenantRow,
  { standings }: Messages,
  clock: (iso: string | null) => string,
): string => (since === null ? standings[standing] : `${standings[standing]} (${clock(since)})`);

/** That an owner closes it, and what was left at the end. */
function closingOf(
  { closing }: TenantRow,
  text: Messages,
  number: (value: number) => string,
  clock: (iso: string | null) => string,
): [string, string][] {
  if (closing === null) return [];
  const {
    requested_by: by,
    closes_at: end,
    closed_at: closedAt,
    reason,
    credits_left: left,
    credits_held: held,
  } = closing;
  const facts = [text.closingFacts(by, clock(end)), ...(reason === null ? [] : [reason])];
  if (closedAt !== null) facts.push(text.closedFacts(number(left ?? 0), number(held ?? 0)));
  return [[text.closing, facts.join(' ')]];
}

/** One tenant: balance, keys, endpoints. */
function Tenant({ name }: { name: string }) {
  const { text, number, clock } = useText();
  const { grantCredits, suspendTenant, resumeTenant } = useOperations();
  return (
    <Loaded request={operations.tenant(name)}>
      {(tenant) => (
        <>
          <Facts
            pairs={[
              [
                text.tenantShort,
                <>
                  {tenant.slug} <code>{tenant.id}</code>
                </>,
              ],
              [text.name, tenant.display_name],
              [text.plan, `${tenant.plan}, ${tenant.environment}`],
              [text.credits, number(tenant.available)],
              [text.held, `${number(tenant.held)} (${number(tenant.open_holds)})`],
              [text.created, clock(tenant.created_at)],
              [text.status, standingOf(tenant, text, clock)],
              ...closingOf(tenant, text, number, clock),
            ]}
          />
          <div className="actions">
            <Button look="primary" onPress={() => grantCredits(tenant.slug)}>
              {text.operations.grantCredits.title}
            </Button>
            {tenant.standing === 'suspended' && (
              <Button onPress={() => resumeTenant(tenant.slug)}>{text.operations.resumeTenant.title}</Button>
            )}
            {(tenant.standing === 'active' || tenant.standing === 'closing') && (
              <Button onPress={() => suspendTenant(tenant.slug)}>{text.operations.suspendTenant.title}</Button>
            )}
          </div>
          <h2>{text.keys}</h2>
          <Table
            caption={text.keys}
            rows={tenant.keys}
            keyOf={({ prefix }) => prefix}
            columns={[
              { title: text.key, of: ({ prefix }) => <code>{prefix}…</code> },
              { title: text.status, of: ({ status }) => status },
              { title: text.created, of: ({ created_at: at }) => clock(at) },
              { title: text.expires, of: ({ expires_at: at }) => clock(at) },
            ]}
          />
          <h2>{text.sections.endpoints}</h2>
          <Table
            caption={text.sections.endpoints}
            rows={tenant.endpoints}
            keyOf={({ id }) => id}
            columns={[
              { title: text.endpoint, of: ({ id }) => <code>{id}</code>, wide: true },
              { title: text.module, of: ({ module }) => module },
              { title: text.url, of: ({ url }) => <code>{url}</code>, wide: true },
              { title: text.dueHere, of: ({ due }) => number(due) },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
