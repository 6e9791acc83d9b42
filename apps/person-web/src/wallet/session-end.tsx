import { useAnnounce, useSecondsUntil } from '@constancia/web';
import { useEffect } from 'react';
import { useText } from './text/language.ts';

const SOON_SECONDS = 60;

/** Says when the session ends, reads aloud when a minute is left, and then ends it. */
export function SessionEnd({ endsAt, onEnd }: { endsAt: number; onEnd: () => void }) {
  const { text, time } = useText();
  const announce = useAnnounce();
  const left = useSecondsUntil(endsAt);
  const soon = left <= SOON_SECONDS;
  const over = left === 0;
  useEffect(() => {
    if (over) onEnd();
    else if (soon) announce(text.mine.endsSoon);
    // Once each, however often the seconds are drawn.
  }, [soon, over]);
  return <p className="help">{text.mine.ends(time(endsAt))}</p>;
}
