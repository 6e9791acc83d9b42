import { Notice, useSecondsUntil } from '@constancia/web';
import { useLanguage } from '../text/language.ts';
import { useJourney } from './journey.tsx';

/** What went wrong with the last press of a button, where every screen says it the same way. */
export function FailureNotice() {
  const { text } = useLanguage();
  const { failure } = useJourney();
  const seconds = useWaitSeconds();
  if (failure === null) return null;
  if (failure.kind === 'changed') return <Notice tone="news">{text.notices.changed}</Notice>;
  if (failure.kind === 'unreachable') return <Notice tone="error">{text.notices.unreachable}</Notice>;
  return seconds === 0 ? null : (
    <Notice tone="news">
      <span role="timer">{text.notices.crowded(seconds)}</span>
    </Notice>
  );
}

/** Seconds for which the server takes nothing more from this reader. */
export function useWaitSeconds(): number {
  const { failure } = useJourney();
  return useSecondsUntil(failure?.kind === 'crowded' ? failure.until : null);
}
