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
  const token = location.hash.slice(1);
  if (!CAPTURE_TOKEN.test(token)) return null;
  return (
    <a className="button primary" href={`/capture#${token}`} rel="noreferrer">
      {text.end.capture}
    </a>
  );
}

/** The server names registered addresses only; a script would be run here. */
const isWebPage = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
