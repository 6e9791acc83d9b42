import type { ConsentState } from '@constancia/contracts/consent';
import { Facts, Notice } from '@constancia/web';
import { useText } from './text/language.ts';

/** What for, until when, and what to mind. */
export function RequestFacts({ state, endsAt }: { state: ConsentState; endsAt: number }) {
  const { text, time } = useText();
  const tenant = state.tenant.display_name;
  return (
    <>
      <Facts pairs={[[text.request.purpose, state.purpose]]} />
      <Notice tone="news">{text.request.careful(tenant)}</Notice>
      <p className="help">{text.request.ends(time(endsAt))}</p>
    </>
  );
}
