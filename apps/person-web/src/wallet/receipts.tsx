import type { WalletReceipt } from '@constancia/contracts/wallet';
import { Button, Facts, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { useRequest } from '../session/use-request.ts';
import { useText } from './text/language.ts';

interface ReceiptsProps {
  session: SignedIn;
  /** Those that the wallet had when it was shown. */
  atFirst: readonly WalletReceipt[];
  onEnded: () => void;
}

/** What the person agreed to: each text as it was shown, and by what it can be proved. What a company got can be withdrawn. */
export function Receipts({ session, atFirst, onEnded }: ReceiptsProps) {
  const { text, clock, sentenceOf } = useText();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest(onEnded);
  const [receipts, setReceipts] = useState(atFirst);

  const withdraw = (id: string): Promise<void> =>
    run(id, async () => {
      const withdrawn = await session.withdraw(id);
      setReceipts((known) => known.map((receipt) => (receipt.id === id ? withdrawn : receipt)));
      announce(text.receipts.withdrawn);
    });
  const withdrawnOf = ({ revoked_at }: WalletReceipt): [string, string][] =>
    revoked_at === null ? [] : [[text.receipts.withdrawnAt, clock(revoked_at)]];
  const summaryOf = ({ given_at, shared, verified_for }: WalletReceipt): string => {
    const moment = clock(given_at);
    return shared === null ? text.mine.receipt(moment, verified_for) : text.receipts.given(moment, shared.with);
  };

  return (
    <section className="part" aria-labelledby="receipts">
      <h2 id="receipts">{text.mine.receipts}</h2>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {receipts.map((receipt) => (
        <details key={receipt.id} className="receipt">
          <summary>{summaryOf(receipt)}</summary>
          <blockquote lang={receipt.locale}>{receipt.text}</blockquote>
          <Facts
            pairs={[
              ...withdrawnOf(receipt),
              [text.mine.receiptId, <code key="id">{receipt.id}</code>],
              [text.mine.version, receipt.text_version],
              [text.mine.sha256, <code key="sha256">{receipt.text_sha256}</code>],
            ]}
          />
          {receipt.shared !== null && receipt.revoked_at === null && (
            <>
              <p className="help">{text.receipts.about(receipt.shared.with)}</p>
              <div className="actions small">
                <Button
                  busy={busy === receipt.id}
                  label={text.receipts.withdrawFrom(receipt.shared.with)}
                  onPress={() => void withdraw(receipt.id)}
                >
                  {text.receipts.withdraw}
                </Button>
              </div>
            </>
          )}
        </details>
      ))}
    </section>
  );
}
