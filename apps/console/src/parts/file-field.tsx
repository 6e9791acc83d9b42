import { Entry, FieldFaults } from '@constancia/web';
import { useContext, useId, useState } from 'react';
import { useText } from '../text/language.ts';

interface FileFieldProps {
  /** Name of the file in the form; left out: the file is not part of the form. */
  name?: string;
  label: string;
  hint?: string;
  /** Endings and media types, as `accept` of an input has them. */
  accept?: string;
  required?: boolean;
  fault?: string | null;
  /** The chosen file; null when the choice was cleared. */
  onFile?: (file: File | null) => void;
  /** It is read as soon as it is chosen: the same file can be chosen again after it was corrected. */
  readAtOnce?: boolean;
}

/** A file from the device. The browser's own input is transparent above a button in the reader's language, so that clicks, keys and drops work. */
export function FileField(props: FileFieldProps) {
  const { name, label, hint, accept, required = false, fault, onFile, readAtOnce = false } = props;
  const { text } = useText();
  const id = useId();
  const refused = useContext(FieldFaults)[name ?? ''];
  const [chosen, setChosen] = useState<string | null>(null);
  const take = (input: HTMLInputElement): void => {
    const file = input.files?.[0] ?? null;
    setChosen(readAtOnce ? null : (file?.name ?? null));
    onFile?.(file);
    if (readAtOnce) input.value = '';
  };
  return (
    <Entry id={id} label={label} help={hint} required={required} fault={fault ?? refused}>
      {(wiring) => (
        <div className="file-field">
          <span className="pick">
            <input
              {...wiring}
              {...{ name, accept, required }}
              type="file"
              title={chosen ?? text.file.none}
              onChange={(event) => take(event.target)}
            />
            <span className="button secondary" aria-hidden="true">
              {chosen === null ? text.file.choose : text.file.another}
            </span>
          </span>
          {!readAtOnce && <span className="help">{chosen ?? text.file.none}</span>}
        </div>
      )}
    </Entry>
  );
}
