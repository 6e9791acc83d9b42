import { Notice, Tick, useAnnounce } from '@constancia/web';
import type { SignedIn } from '../api/wallet-api.ts';
import { useText } from './text/language.ts';
import { useRequest } from '../session/use-request.ts';

interface DiscoverableProps {
  session: SignedIn;
  enabled: boolean;
  onChange: (enabled: boolean) => void;
  onEnded: () => void;
}

/** Whether requests may be sent to the registered address. The box shows what the server has. */
export function Discoverable({ session, enabled, onChange, onEnded }: DiscoverableProps) {
  const { text, sentenceOf } = useText();
  const announce = useAnnounce();
  const { error, run } = useRequest(onEnded);
  const change = (wanted: boolean): Promise<void> =>
    run('change', async () => {
      const now = await session.setDiscoverable(wanted);
      onChange(now);
      announce(now ? text.discoverable.on : text.discoverable.off);
    });
  return (
    <section className="part" aria-labelledby="discoverable-heading">
      <h2 id="discoverable-heading">{text.discoverable.title}</h2>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      <Tick
        id="discoverable"
        label={text.discoverable.tick}
        ticked={enabled}
        onTick={(wanted) => void change(wanted)}
        required={false}
      />
      <p className="help">{text.discoverable.help}</p>
    </section>
  );
}
