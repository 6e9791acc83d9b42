import { Tick } from '@constancia/web';
import { useId } from 'react';
import { inForm, type ValueForm } from '../model/value-form.ts';
import { useSentences } from '../parts/sentences.ts';
import { useRuleText } from '../text/language.ts';
import { Labelled } from './labelled.tsx';
import { TypedEntry } from './typed-entry.tsx';

interface ValueFieldProps {
  form: ValueForm;
  label: string;
  bare?: boolean;
  /** What it means when no option is chosen. */
  unticked?: string;
  value: unknown;
  onValue: (value: unknown) => void;
  disabled?: boolean;
}

/** The value of a condition, by the form that its question asks for. */
export function ValueField({ form, label, bare, unticked, value, onValue, disabled }: ValueFieldProps) {
  const { words } = useRuleText();
  const { memberOf, choiceOf, untickedOf } = useSentences();
  const current = inForm(form, value);
  switch (form.kind) {
    case 'none':
      return <p className="help">{words.editor.none}</p>;
    case 'choice':
      return (
        <Labelled label={label} bare={bare}>
          {(wiring) => (
            <select
              {...wiring}
              value={typeof current === 'string' ? current : ''}
              disabled={disabled}
              onChange={(event) => onValue(event.target.value === '' ? undefined : event.target.value)}
            >
              <option value="">{words.editor.choose}</option>
              {form.options.map((option) => (
                <option key={option} value={option}>
                  {choiceOf(option)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      );
    case 'choices':
      return <Choices {...{ label, unticked, disabled, onValue }} options={form.options} chosen={listOf(current)} />;
    case 'members': {
      const members = (current ?? {}) as Record<string, unknown>;
      return (
        <fieldset className="members">
          <legend className={bare === true ? 'unseen' : undefined}>{label}</legend>
          {form.members.map(([name, member]) => (
            <ValueField
              key={name}
              form={member}
              label={memberOf(name)}
              unticked={form.required.includes(name) ? undefined : untickedOf(name)}
              value={members[name]}
              disabled={disabled}
              onValue={(part) => onValue(withMember(members, name, part))}
            />
          ))}
        </fieldset>
      );
    }
    default: {
      const hint = { texts: words.editor.listHint, scalars: words.editor.listHint, scalar: words.editor.scalarHint };
      return (
        <TypedEntry
          key={form.kind}
          kind={form.kind}
          {...{ label, bare, disabled, onValue }}
          hint={form.kind in hint ? hint[form.kind as keyof typeof hint] : undefined}
          placeholder={form.kind === 'texts' || form.kind === 'scalars' ? '…, …' : undefined}
          value={current}
        />
      );
    }
  }
}

interface ChoicesProps {
  label: string;
  unticked?: string;
  options: readonly string[];
  chosen: readonly unknown[];
  onValue: (value: unknown) => void;
  disabled?: boolean;
}

function Choices({ label, unticked, options, chosen, onValue, disabled = false }: ChoicesProps) {
  const id = useId();
  const { words } = useRuleText();
  const { choiceOf } = useSentences();
  // What is no option stays until somebody unticks it: the linter says what is wrong with it.
  const all: readonly unknown[] = [...options, ...chosen.filter((item) => !options.includes(item as string))];
  const tick = (option: unknown, on: boolean): void => {
    const next = all.filter((each) => (each === option ? on : chosen.includes(each)));
    onValue(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset className="members" disabled={disabled}>
      <legend className="unseen">{label}</legend>
      {unticked !== undefined && <p className="help">{words.editor.unticked(unticked)}</p>}
      {all.map((option) => (
        <Tick
          key={String(option)}
          id={`${id}-${String(option)}`}
          label={choiceOf(String(option))}
          required={false}
          ticked={chosen.includes(option)}
          onTick={(on) => tick(option, on)}
        />
      ))}
    </fieldset>
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Without the member once nothing is left of it; nothing at all once no member is left. */
function withMember(members: Record<string, unknown>, name: string, part: unknown): unknown {
  const others = Object.entries(members).filter(([each]) => each !== name);
  const next = Object.fromEntries(part === undefined ? others : [...others, [name, part]]);
  return Object.keys(next).length === 0 ? undefined : next;
}
