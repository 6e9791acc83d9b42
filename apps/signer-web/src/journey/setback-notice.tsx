import { Notice } from '../parts/notice.tsx';
import { useSecondsUntil } from '../parts/countdown.ts';
import { useLanguage } from '../text/language.tsx';
import { useJourney } from './journey.tsx';

/** What went wrong with the last press of a button, where every screen says it the same way. */
export function SetbackNotice() {
  const { text } = useLanguage();
  const { setback } = useJourney();
  const seconds = useCoolingSeconds();
  if (setback === null) return null;
  if (setback.kind === 'changed') return <Notice tone="news">{text.notices.changed}</Notice>;
  if (setback.kind === 'unreachable') return <Notice tone="trouble">{text.notices.unreachable}</Notice>;
  return seconds === 0 ? null : (
    <Notice tone="news">
      <span role="timer">{text.notices.crowded(seconds)}</span>
    </Notice>
  );
}

/** Seconds for which the server takes nothing more from this reader. */
export function useCoolingSeconds(): number {
  const { setback } = useJourney();
  return useSecondsUntil(setback?.kind === 'crowded' ? setback.until : null);
}
