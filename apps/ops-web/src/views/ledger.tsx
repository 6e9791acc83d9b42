import { type LedgerVerification, operations, valueText } from '@constancia/operations';
import { Field, Form, Notice, Table } from '@constancia/web';
import { useState } from 'react';
import { useOps } from '../ops.tsx';
import { useText } from '../text/language.ts';

/** Whether every balance follows from its entries and holds. */
export function LedgerView() {
  const { text } = useText();
  const { session, attempt } = useOps();
  const [found, setFound] = useState<LedgerVerification | null>(null);
  return (
    <>
      <p>{text.ledgerAbout}</p>
      <Form
        look="filter"
        submit={text.verifyLedger}
        onValues={({ tenant }) =>
          attempt(async () => setFound(await session.send(operations.verifyLedger({ tenant }))))
        }
      >
        <Field name="tenant" label={text.tenant} />
      </Form>
      <div aria-live="polite">{found !== null && <Outcome found={found} />}</div>
    </>
  );
}

function Outcome({ found }: { found: LedgerVerification }) {
  const { text, number } = useText();
  const { faults, entries, tenants, open_holds: open, stale_holds: stale } = found;
  const isCorrect = faults.length === 0 && found.drift_credits === 0;
  const sentence = isCorrect
    ? text.ledgerCorrect(number(entries), number(tenants))
    : text.ledgerWrong(number(faults.length));
  return (
    <>
      <Notice tone={isCorrect ? 'good' : 'error'}>{sentence}</Notice>
      <p>{text.openHolds(number(open), number(stale))}</p>
      {faults.length > 0 && (
        <Table
          caption={text.sections.ledger}
          rows={faults}
          keyOf={({ slug, what }) => `${slug} ${what}`}
          columns={[
            { title: text.tenantShort, of: ({ slug }) => slug },
            { title: text.what, of: ({ what }) => what, wide: true },
            { title: text.expected, of: ({ expected }) => valueText(expected) || '–' },
            { title: text.found, of: ({ found: value }) => valueText(value) || '–' },
          ]}
        />
      )}
    </>
  );
}
