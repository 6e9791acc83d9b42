import { Button, Screen, useHostPage } from '@constancia/web';
import { useJourney } from '../journey/journey.tsx';
import { useLanguage } from '../text/language.ts';
import { frameEnd } from './frame-end.ts';

/** The frame has lost the session: its time is over, it was revoked, or the link that it stands for ended. */
export function FrameEnded() {
  const { text } = useLanguage();
  return <Screen sign="stop" title={text.frame.ended.title} lead={text.frame.ended.lead} />;
}

/** Where nothing is left to do in a frame, the person can close it. */
export function CloseFrame() {
  const host = useHostPage();
  const { situation } = useJourney();
  const { text } = useLanguage();
  if (host === null || frameEnd(situation) === null) return null;
  return (
    <div className="actions frame-close">
      <Button onPress={() => host.send('closed', {})}>{text.frame.close}</Button>
    </div>
  );
}
