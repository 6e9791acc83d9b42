import { Button } from '@constancia/web';
import { useText } from './text/language.ts';

export type Refusing = 'decline' | 'report';

/** The two ways out, each with a page of its own. */
export function RefuseButtons({ onRefuse }: { onRefuse: (how: Refusing) => void }) {
  const { text } = useText();
  return (
    <>
      <Button onPress={() => onRefuse('decline')}>{text.decline.open}</Button>
      <Button look="quiet" onPress={() => onRefuse('report')}>
        {text.report.open}
      </Button>
    </>
  );
}
