import type { CaptureState } from '@constancia/contracts/capture';
import { Button, useHostPage } from '@constancia/web';
import { useSession } from '../session/session.tsx';
import type { Sending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';

/** A verification that the person keeps, instead of pictures: where the server offers it. The page follows how it was answered. */
export function OfferToUseKept({ state, sending }: { state: CaptureState; sending: Sending }) {
  const { text } = useText();
  const { api } = useSession();
  const framed = useHostPage() !== null;
  const { reuse } = state;
  if (reuse === null || reuse.status === 'given') return null;

  const ask = async (): Promise<CaptureState> => {
    const asked = await api.askForKept();
    const url = asked.reuse?.consent_url;
    if (url && !framed) location.assign(addressOf(url));
    return asked;
  };
  return (
    <section className="part" aria-labelledby="kept">
      <h2 id="kept">{text.kept.title}</h2>
      <p>{reuse.status === 'asked' ? text.kept.asked : text.kept.offer(state.tenant.display_name)}</p>
      <div className="actions">
        {reuse.status === 'offered' ? (
          <Button onPress={() => void sending.send(ask)} busy={sending.busy}>
            {text.kept.use}
          </Button>
        ) : (
          reuse.consent_url !== null && (
            <a
              className="button secondary"
              rel="noopener noreferrer"
              {...(framed
                ? { href: reuse.consent_url, target: '_blank', 'aria-describedby': 'kept-opens' }
                : { href: addressOf(reuse.consent_url) })}
            >
              {text.kept.open}
            </a>
          )
        )}
      </div>
      {framed && (
        <p className="help" id="kept-opens">
          {text.kept.opens}
        </p>
      )}
    </section>
  );
}

/** With the token of this page in the fragment, which goes to no server: the way back. */
const addressOf = (url: string): string => `${url}${location.hash}`;
