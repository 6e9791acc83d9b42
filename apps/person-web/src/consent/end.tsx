import { CAPTURE_TOKEN } from '@constancia/contracts/capture';
import { WALLET_PAGE } from '@constancia/contracts/wallet';
import { Screen } from '@constancia/web';
import { useText } from './text/language.ts';

export interface EndOfRequest {
  how: 'approved' | 'declined' | 'reported';
  tenant: string;
  redirect_to: string | null;
}

/** How the request ended, and where the person came from. Nobody is led there without pressing. */
export function End({ how, tenant, redirect_to }: EndOfRequest) {
  const { text } = useText();
  const leads = {
    approved: text.end.approvedLead(tenant),
    declined: text.end.declinedLead,
    reported: text.end.reportedLead,
  };
  return (
    <Screen sign={how === 'approved' ? 'done' : 'stop'} title={text.end[how]} lead={leads[how]}>
      <div className="actions">
        <BackToCapture />
        {redirect_to !== null && isWebPage(redirect_to) && (
          <a className="button primary" href={redirect_to} rel="noreferrer">
            {text.end.back(tenant)}
          </a>
        )}
        {how === 'approved' && (
          <a className="button secondary" href={WALLET_PAGE} rel="noreferrer">
            {text.end.wallet}
          </a>
        )}
      </div>
    </Screen>
  );
}

/** Back to the capture page that led here, which put its token into the fragment. */
export function BackToCapture() {
  const { text } = useText();
  const token = captureToken();
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
