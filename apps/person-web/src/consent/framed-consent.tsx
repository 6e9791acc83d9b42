import { FrameNews, type OpenFrame, type Opening, OpeningPage } from '@constancia/web';
import { useEffect, useMemo } from 'react';
import { ConsentLink } from '../api/consent-api.ts';
import { ConsentPage } from './consent-page.tsx';
import { useText } from './text/language.ts';
import { useTenantsView } from './use-tenants-view.ts';

/** The same on every screen: how high they are says whether the person has proved whose the wallet is. */
const HEIGHT = 720;

/** The page of a request in a frame. @param opening begun before the page was drawn: it is possible once */
export function FramedConsent({ opening, base }: { opening: Promise<Opening>; base: string }) {
  const { text } = useText();
  const loading = (
    <p className="loading" role="status">
      {text.loading}
    </p>
  );
  const { ended } = text.embed;
  const texts = { ...text.embed, unknown: ended, unavailable: { ...ended, lead: text.lost } };
  return (
    <OpeningPage opening={opening} loading={loading} texts={texts}>
      {(frame) => <Opened frame={frame} base={base} />}
    </OpeningPage>
  );
}

/** The page around the frame is told what the tenant's API says, and nothing of what the person does before. */
function Opened({ frame: { token, locale }, base }: { frame: OpenFrame; base: string }) {
  const { suggest } = useText();
  const { end, ask, lose } = useTenantsView(base, token);
  const link = useMemo(() => ConsentLink.framed({ base, token, onLost: lose }), [base, token, lose]);
  useEffect(() => {
    if (locale !== null) suggest(locale);
  }, [locale, suggest]);
  return (
    <>
      <FrameNews step="consent" end={end} height={HEIGHT} />
      <ConsentPage link={link} isOver={end !== null} onEnd={ask} />
    </>
  );
}
