import { Button, Notice } from '@constancia/web';
import { useLanguage } from '../text/language.ts';
import { useJourney } from './journey.tsx';

/** Why a code is asked for when it is not to sign, and the way back. */
export function Purpose() {
  const { text } = useLanguage();
  const { wish, setWish } = useJourney();
  if (wish === null) return null;
  return (
    <Notice tone="news">
      <p>{wish === 'decline' ? text.decline.codeFirst : text.sealed.codeFirst}</p>
      <Button look="quiet" onPress={() => setWish(null)}>
        {text.page.back}
      </Button>
    </Notice>
  );
}
