import { CAPTURE_TOKEN } from '@constancia/contracts/capture';
import { WALLET_PAGE } from '@constancia/contracts/wallet';
import { Button, Screen, useHostPage } from '@constancia/web';
import { useText } from './text/language.ts';

export interface EndOfRequest {
  how: 'approved' | 'declined' | 'reported';
  tenant: string;
  redirect_to: string | null;
}

/**
 * How the request ended, and where the person came from. Nobody is led there without pressing; in a frame they are there. A frame can be
 * closed once the page around it knows that it is over, and no sooner: that would say that somebody has refused.
 */
export function End({ how, tenant, redirect_to, isOver }: EndOfRequest & { isOver: boolean }) {
  const { text } = useText();
  const framed = useHostPage() !== null;
  const leads = {
    approved: text.end.approvedLead(tenant),
    declined: text.end.declinedLead,
    reported: text.end.reportedLead,
  };
  return (
    <Screen sign={how === 'approved' ? 'done' : 'stop'} title={text.end[how]} lead={leads[how]}>
      <div className="actions">
        <BackToCapture />
        {redirect_to !== null && !framed && isWebPage(redirect_to) && (
          <a className="button primary" href={redirect_to} rel="noreferrer">
            {text.end.back(tenant)}
          </a>
        )}
        {how === 'approved' && (
          <a
            className="button secondary"
            href={WALLET_PAGE}
            rel="noopener noreferrer"
            {...(framed && { target: '_blank' })}
          >
            {text.end.wallet}
          </a>
        )}
        {isOver && <CloseFrame />}
      </div>
    </Screen>
  );
}

/** Nothing can be done with the link, or in the frame. */
export function Gone({ isOver }: { isOver: boolean }) {
  const { text } = useText();
  const { title, lead } = useHostPage() === null ? text.gone : text.embed.ended;
  return (
    <Screen sign="stop" title={title} lead={lead}>
      <div className="actions">
        <BackToCapture />
        {isOver && <CloseFrame />}
      </div>
    </Screen>
  );
}

function CloseFrame() {
  const { text } = useText();
  const host = useHostPage();
  if (host === null) return null;
  return (
    <Button look="primary" onPress={() => host.send('closed', {})}>
      {text.embed.close}
    </Button>
  );
}

/** Back to the capture page that led here, which put its token into the fragment. */
export function BackToCapture() {
  const { text } = useText();
  const framed = useHostPage() !== null;
  const token = framed ? null : captureToken();
  if (token === null) return null;
  return (
    <a className="button secondary" href={`/capture#${token}`} rel="noreferrer">
      {text.end.capture}
    </a>
  );
}

let taken: string | null | undefined;

/** Of the address, and then out of it: people send this address to others. */
export function captureToken(): string | null {
  if (taken !== undefined) return taken;
  const token = location.hash.slice(1);
  taken = CAPTURE_TOKEN.test(token) ? token : null;
  if (taken !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return taken;
}

/** The server names registered addresses only; a script would be run here. */
const isWebPage = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
