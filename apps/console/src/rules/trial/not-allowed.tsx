import { Notice } from '@constancia/web';
import { useRuleText } from '../text/language.ts';

/** In the place of a form that the role of the reader does not allow. */
export function NotAllowed() {
  const { text } = useRuleText();
  return (
    <Notice tone="news">
      <p>{text.problems.forbidden}</p>
    </Notice>
  );
}
