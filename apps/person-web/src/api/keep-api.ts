import { KEEP_ROUTES, type KeepRequest, type KeepState, type KeepText } from '@constancia/contracts/wallet';
import { sendJson } from '@constancia/web';
import { failureOf } from './capture-api.ts';
import { tokenInAddress } from './token-in-address.ts';

/** Keeping the verification in a wallet of the person. Each rejects with Refused or Unreachable. */
export interface KeepApi {
  state(): Promise<KeepState>;
  /** @param text as it was shown */
  request(email: string, text: KeepText): Promise<KeepState>;
  confirm(code: string): Promise<KeepState>;
}

const call = async (method: string, route: string, body?: unknown): Promise<KeepState> => {
  const headers = { authorization: `Bearer ${tokenInAddress.read()}` };
  return (await sendJson<KeepState>(route, { method, body, headers, errorOf: failureOf })).answer;
};

export const keepApi: KeepApi = {
  state: () => call('GET', KEEP_ROUTES.state),
  request: (email, { version, locale, sha256 }) => {
    const body: KeepRequest = { accepted: true, email, version, locale, sha256 };
    return call('POST', KEEP_ROUTES.request, body);
  },
  confirm: (code) => call('POST', KEEP_ROUTES.confirm, { code }),
};
