import { Button, Title } from '@constancia/web';
import { useLanguage } from '../text/language.ts';

interface ReadProps {
  /** How many places of the document are this signer's. */
  places: number;
  /** Whether the document can be read by now. */
  readable: boolean;
  onDone: () => void;
}

export function Read({ places, readable, onDone }: ReadProps) {
  const { text } = useLanguage();
  return (
    <>
      <Title>{text.read.title}</Title>
      <p className="lead">{text.read.lead}</p>
      <p>{text.read.places(places)}</p>
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
