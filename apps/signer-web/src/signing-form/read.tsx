import { Button, Title } from '@constancia/web';
import type { SignState } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.ts';

export function Read({ state, onDone }: { state: SignState; onDone: () => void }) {
  const { text } = useLanguage();
  return (
    <>
      <Title>{text.read.title}</Title>
      <p className="lead">{text.read.lead}</p>
      <p>{text.read.places(state.fields.length)}</p>
      <div className="actions held">
        <Button look="primary" onPress={onDone}>
          {text.read.submit}
        </Button>
      </div>
    </>
  );
}
