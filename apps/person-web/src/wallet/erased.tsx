import type { WalletErasure } from '@constancia/contracts/wallet';
import { Button, Facts, Screen } from '@constancia/web';
import { saveJson } from './save-json.ts';
import { useText } from './text/language.ts';

/** The wallet is erased: what the person has to show for it. */
export function Erased({ receipt }: { receipt: WalletErasure }) {
  const { text, clock } = useText();
  return (
    <Screen sign="done" title={text.erased.title} lead={text.erased.lead}>
      <Facts
        pairs={[
          [text.erased.receipt, <code key="id">{receipt.receipt_id}</code>],
          [text.erased.at, clock(receipt.erased_at)],
        ]}
      />
      <p>{text.erased.kept}</p>
      <p>{text.erased.notCovered}</p>
      <div className="actions">
        <Button onPress={() => saveJson(receipt, `${receipt.receipt_id}.json`)}>{text.erased.save}</Button>
      </div>
    </Screen>
  );
}
