import { actText, type ChainState, operations } from '@constancia/operations';
import { Button, Notice } from '@constancia/web';
import { useState } from 'react';
import { useOps } from '../ops.tsx';
import { FilteredList } from '../parts/filtered-list.tsx';
import { useText } from '../text/language.ts';

/** What operators did, and whether the log of it is whole. */
export function AuditView() {
  const { text, clock } = useText();
  return (
    <FilteredList
      title={text.sections.audit}
      request={operations.acts}
      keyOf={({ seq }) => String(seq)}
      fields={[
        { name: 'operator', label: text.operator },
        { name: 'action', label: text.actionType },
      ]}
      columns={[
        { title: text.number, of: ({ seq }) => seq },
        { title: text.at, of: ({ at }) => clock(at) },
        { title: text.operator, of: ({ operator }) => operator, wide: true },
        { title: text.action, of: ({ type }) => type },
        { title: text.what, of: ({ data }) => <code>{actText(data)}</code>, wide: true },
      ]}
    >
      <ChainVerification />
    </FilteredList>
  );
}

function ChainVerification() {
  const { text, number } = useText();
  const { session, attempt } = useOps();
  const [chain, setChain] = useState<ChainState | null>(null);
  return (
    <>
      <div className="actions">
        <Button onPress={() => attempt(async () => setChain(await session.send(operations.verifyActs())))}>
          {text.verifyChain}
        </Button>
      </div>
      <div aria-live="polite">
        {chain !== null && (
          <Notice tone={chain.valid ? 'good' : 'error'}>
            {chain.valid ? text.chainCorrect(number(chain.acts)) : text.chainBroken(chain.seq, chain.fault)}
          </Notice>
        )}
      </div>
    </>
  );
}
