import { Button, Entry, State } from '@constancia/web';
import { type ReactNode, useId } from 'react';
import { useSigningText } from '../text/language.ts';
import { NumberEntry } from './number-entry.tsx';
import { type BoxFault, type BoxMember, leavesPage, type Limits, type Placed } from './placed.ts';
import type { OpenPdf } from './use-pdf.ts';

interface FieldListProps<Field extends Placed> {
  fields: readonly Field[];
  open: OpenPdf;
  limits: Limits;
  faultsOf: (field: Field) => Partial<Record<BoxMember, BoxFault>>;
  labelOf: (field: Field) => string;
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onChange: (id: string, changed: Partial<Placed>) => void;
  onRemove: (id: string) => void;
  /** What else there is to say about a field. */
  details: (field: Field) => ReactNode;
}

/** Every field with its numbers, for those who would rather write than drag. */
export function FieldList<Field extends Placed>(props: FieldListProps<Field>) {
  const { fields, open, faultsOf, labelOf, chosen, onChoose } = props;
  const { words } = useSigningText();
  if (fields.length === 0) return <p className="help">{words.editor.noFields}</p>;
  return (
    <ul className="field-list" aria-label={words.editor.fields}>
      {fields.map((field) => {
        const { id, page } = field;
        const size = open.sizes[page - 1];
        const wrong = Object.keys(faultsOf(field)).length > 0 || (size !== undefined && leavesPage(field, size));
        return (
          <li key={id}>
            <button
              type="button"
              className="field-name"
              aria-expanded={chosen === id}
              onClick={() => onChoose(chosen === id ? null : id)}
            >
              <strong>{labelOf(field)}</strong> <small>{words.editor.onPage(page)}</small>{' '}
              {wrong && <State kind="bad">{words.editor.wrong}</State>}
            </button>
            {chosen === id && <FieldNumbers {...props} of={field} />}
          </li>
        );
      })}
    </ul>
  );
}

function FieldNumbers<Field extends Placed>({ of: field, ...props }: FieldListProps<Field> & { of: Field }) {
  const { open, limits, faultsOf, labelOf, onChange, onRemove, details } = props;
  const { words, number } = useSigningText();
  const faults = faultsOf(field);
  const size = open.sizes[field.page - 1];
  const sentenceOf = (name: BoxMember): string | undefined => {
    const fault = faults[name];
    if (fault === undefined) return undefined;
    if (fault === 'page') return words.editor.faults.page(open.sizes.length);
    if (fault !== 'size') return words.editor.faults[fault];
    const [least, most] = limits[name as 'width' | 'height'];
    return words.editor.faults.size(number(least), number(most));
  };
  const entry = (name: 'page' | 'x' | 'y' | 'width' | 'height') => (
    <NumberEntry
      label={words.editor.members[name]}
      value={field[name]}
      integer={name === 'page'}
      fault={sentenceOf(name)}
      onNumber={(value) => onChange(field.id, { [name]: value })}
    />
  );
  return (
    <div className="field-numbers">
      <KeyEntry value={field.key} fault={sentenceOf('key')} onKey={(key) => onChange(field.id, { key })} />
      {details(field)}
      <div className="numbers">
        {entry('page')}
        {entry('x')}
        {entry('y')}
        {entry('width')}
        {entry('height')}
      </div>
      {size !== undefined && leavesPage(field, size) && (
        <p className="fault" role="alert">
          {words.editor.leaves}
        </p>
      )}
      <Button look="quiet" label={words.editor.removeOf(labelOf(field))} onPress={() => onRemove(field.id)}>
        {words.editor.remove}
      </Button>
    </div>
  );
}

function KeyEntry({ value, fault, onKey }: { value: string; fault: string | undefined; onKey: (key: string) => void }) {
  const id = useId();
  const { words } = useSigningText();
  return (
    <Entry id={id} label={words.editor.key} help={words.editor.keyHint} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={value}
          onChange={(event) => onKey(event.target.value)}
        />
      )}
    </Entry>
  );
}
