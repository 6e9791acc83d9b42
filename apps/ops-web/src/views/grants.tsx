import { operations } from '@constancia/operations';
import { Button } from '@constancia/web';
import { FilteredList } from '../parts/filtered-list.tsx';
import { useOperations } from '../parts/use-operations.ts';
import { useText } from '../text/language.ts';

/** Credits that wait for a second operator. */
export function GrantsView() {
  const { text, number, clock } = useText();
  const { approveGrant, withdrawGrant } = useOperations();
  return (
    <FilteredList
      title={text.sections.grants}
      request={operations.grants}
      keyOf={({ id }) => id}
      columns={[
        { title: text.tenantShort, of: ({ slug }) => <a href={`#tenants/${slug}`}>{slug}</a>, wide: true },
        { title: text.credits, of: ({ credits }) => number(credits) },
        { title: text.reference, of: ({ reference }) => <code>{reference}</code>, wide: true },
        { title: text.reason, of: ({ reason }) => reason, wide: true },
        { title: text.requestedBy, of: ({ requested_by: name }) => name, wide: true },
        { title: text.expires, of: ({ expires_at: at }) => clock(at) },
        {
          title: text.action,
          of: ({ id }) => (
            <div className="actions small">
              <Button onPress={() => approveGrant(id)}>{text.operations.approveGrant.title}</Button>
              <Button onPress={() => withdrawGrant(id)}>{text.operations.withdrawGrant.title}</Button>
            </div>
          ),
          wide: true,
        },
      ]}
    />
  );
}
