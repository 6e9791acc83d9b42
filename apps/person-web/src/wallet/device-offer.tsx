import type { WalletCredentialFacts, WalletCredentialOffer } from '@constancia/contracts/wallet';
import { Button, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { QrCode } from '@constancia/web/qr-code';
import { useRequest } from '../session/use-request.ts';
import { useText } from './text/language.ts';

interface DeviceOfferProps {
  session: SignedIn;
  /** Where the second code is mailed to, masked. */
  address: string;
  /** Of the credentials that the page shows. */
  known: ReadonlySet<string>;
  onIssued: (credentials: WalletCredentialFacts[]) => void;
  onEnded: () => void;
}

/** Offers the last verification to a wallet app: on the phone, which scans the offer, or on this device. */
export function DeviceOffer({ session, address, known, onIssued, onEnded }: DeviceOfferProps) {
  const { text, time, sentenceOf } = useText();
  const { offer: words } = text.devices;
  const announce = useAnnounce();
  const { busy, error, run } = useRequest(onEnded);
  const [offer, setOffer] = useState<WalletCredentialOffer | null>(null);
  const [news, setNews] = useState<string | null>(null);

  const say = (sentence: string): void => {
    setNews(sentence);
    announce(sentence);
  };
  const create = (): Promise<void> =>
    run('create', async () => {
      setNews(null);
      setOffer(await session.offerCredential());
    });
  const look = (): Promise<void> =>
    run('look', async () => {
      const issued = (await session.credentials()).filter(({ id }) => !known.has(id));
      if (issued.length === 0) return say(words.notYet);
      setOffer(null);
      onIssued(issued);
      say(words.issued);
    });
  const copy = (link: string): Promise<void> =>
    navigator.clipboard.writeText(link).then(
      () => say(words.copied),
      () => say(words.notCopied),
    );

  return (
    <>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {news !== null && <Notice tone="news">{news}</Notice>}
      {offer !== null && (
        <div role="group" aria-label={words.title}>
          <p>{words.scan}</p>
          <QrCode content={offer.offer_link} label={words.picture} />
          <p>{words.code(address)}</p>
          <p>
            <a href={offer.offer_link}>{words.here}</a>
          </p>
          <p className="offer-link">
            <code>{offer.offer_link}</code>
          </p>
          <p className="help">{words.until(time(Date.parse(offer.expires_at)))}</p>
          <div className="actions">
            <Button look="primary" busy={busy === 'look'} onPress={() => void look()}>
              {words.done}
            </Button>
            <Button onPress={() => void copy(offer.offer_link)}>{words.copy}</Button>
          </div>
        </div>
      )}
      <div className="actions">
        <Button busy={busy === 'create'} onPress={() => void create()}>
          {offer === null ? words.create : words.another}
        </Button>
      </div>
    </>
  );
}
