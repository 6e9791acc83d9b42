import type { WalletReceipt } from '@constancia/contracts/wallet';
import { Facts } from '@constancia/web';
import { useText } from './text/language.ts';

/** What the person agreed to: each text as it was shown, and by what it can be proved. */
export function Receipts({ receipts }: { receipts: readonly WalletReceipt[] }) {
  const { text, clock } = useText();
  return (
    <section className="part" aria-labelledby="receipts">
      <h2 id="receipts">{text.mine.receipts}</h2>
      {receipts.map((receipt) => (
        <details key={receipt.id} className="receipt">
          <summary>{text.mine.receipt(clock(receipt.given_at), receipt.verified_for)}</summary>
          <blockquote lang={receipt.locale}>{receipt.text}</blockquote>
          <Facts
            pairs={[
              [text.mine.receiptId, <code key="id">{receipt.id}</code>],
              [text.mine.version, receipt.text_version],
              [text.mine.sha256, <code key="sha256">{receipt.text_sha256}</code>],
            ]}
          />
        </details>
      ))}
    </section>
  );
}
