import { Entry } from '@constancia/web';
import { useLanguage } from '../text/language.ts';
import type { Drawing } from './drawing.ts';
import { DrawnSignature } from './drawn-signature.tsx';
import { LONGEST_TYPED } from './shortened-name.ts';

/** How the reader signs, and with what so far. */
export interface SignatureDraft {
  how: 'typed' | 'drawn';
  typed: string;
  drawing: Drawing | null;
  /** Of the drawing, as a data URL. */
  image: string | null;
}

interface SignatureChoiceProps {
  draft: SignatureDraft;
  onChange: (change: Partial<SignatureDraft>) => void;
  fault: string | null;
}

/** Typed, which everyone can do, or drawn. */
export function SignatureChoice({ draft, onChange, fault }: SignatureChoiceProps) {
  const { text } = useLanguage();
  const ways = [
    ['typed', text.sign.typed],
    ['drawn', text.sign.drawn],
  ] as const;
  return (
    <fieldset className="signature-choice">
      <legend>{text.sign.how}</legend>
      <div className="ways">
        {ways.map(([how, label]) => (
          <label key={how} className={draft.how === how ? 'way chosen' : 'way'}>
            <input type="radio" name="how" checked={draft.how === how} onChange={() => onChange({ how })} />
            {label}
          </label>
        ))}
      </div>
      {draft.how === 'typed' ? (
        <>
          <Entry id="typed" label={text.sign.typedLabel} help={text.sign.typedHelp} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                autoComplete="name"
                maxLength={LONGEST_TYPED}
                value={draft.typed}
                onChange={(event) => onChange({ typed: event.target.value })}
              />
            )}
          </Entry>
          <div className="preview" aria-hidden="true">
            <small>{text.sign.preview}</small>
            <span className="written">{draft.typed.trim() || ' '}</span>
          </div>
        </>
      ) : (
        <DrawnSignature
          drawing={draft.drawing}
          onDraw={(drawing, image) => onChange({ drawing, image })}
          fault={fault}
        />
      )}
    </fieldset>
  );
}
