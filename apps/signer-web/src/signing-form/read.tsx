import { Button, Title } from '@constancia/web';
import type { SignState } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.ts';

interface ReadProps {
  state: SignState;
  /** Whether the document can be read by now. */
  readable: boolean;
  onDone: () => void;
}

export function Read({ state, readable, onDone }: ReadProps) {
  const { text } = useLanguage();
  return (
    <>
      <Title>{text.read.title}</Title>
      <p className="lead">{text.read.lead}</p>
      <p>{text.read.places(state.fields.length)}</p>
      {!readable && (
        <p className="help" id="not-readable">
          {text.read.notYet}
        </p>
      )}
      <div className="actions held">
        <Button look="primary" waiting={!readable} describedBy={readable ? undefined : 'not-readable'} onPress={onDone}>
          {text.read.submit}
        </Button>
      </div>
    </>
  );
}
