import { Field, FieldFaults, type FieldProps, type Values, valuesOf } from '@constancia/web';
import { useContext, useId, useRef, useState } from 'react';
import { useText } from '../text/language.ts';

interface FilterProps {
  /** What the address holds now. */
  values: Values;
  fields: readonly FieldProps[];
  /** What is chosen next; without what was emptied. */
  onValues: (values: Values) => void;
}

/**
 * The filter of a list. It applies as soon as something is chosen; texts apply on Enter or when they are left. On a narrow screen it is
 * behind a button, which says how many filters are active, unless something is wrong with one of them.
 */
export function Filter({ values, fields, onValues }: FilterProps) {
  const { text } = useText();
  const id = useId();
  const [asked, setOpen] = useState(false);
  const faults = useContext(FieldFaults);
  const open = asked || fields.some(({ name }) => faults[name] !== undefined);
  const current = contentOf(values);
  const sent = useRef({ values: current, version: 0 });
  if (sent.current.values !== current) sent.current = { values: current, version: sent.current.version + 1 }; // by Back, or a link
  const form = (
    <form
      key={sent.current.version}
      id={id}
      className="filter"
      role="search"
      aria-label={text.filter}
      onSubmit={(event) => {
        event.preventDefault();
        const next = valuesOf(event.currentTarget);
        sent.current.values = contentOf(next);
        onValues(next);
      }}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
      onBlur={(event) => {
        const changed = contentOf(valuesOf(event.currentTarget)) !== sent.current.values;
        if (event.target instanceof HTMLInputElement && changed) event.currentTarget.requestSubmit();
      }}
    >
      {fields.map((field) => (
        <Field key={field.name} {...field} defaultValue={values[field.name] ?? ''} />
      ))}
    </form>
  );
  return (
    <>
      <button
        type="button"
        className="button filter-toggle"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {text.filters(activeIn(fields, values))}
      </button>
      {form}
    </>
  );
}

/**
 * The choices of a filter: all, the options, and what is chosen without being one of them, since they are not loaded yet or it was deleted.
 */
export function choicesOf(
  all: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string | undefined,
): (readonly [value: string, text: string])[] {
  const isThere = chosen === undefined || options.some(([value]) => value === chosen);
  return [['', all], ...options, ...(isThere ? [] : [[chosen, chosen] as const])];
}

/** How many fields are set: the first option of a choice means no choice. */
const activeIn = (fields: readonly FieldProps[], values: Values): number =>
  fields.filter(({ name, options }) => {
    const value = values[name] ?? '';
    return value !== '' && value !== options?.[0]?.[0];
  }).length;

/** The same for the same values, in whatever order they come. */
const contentOf = (values: Values): string => JSON.stringify(Object.entries(values).sort());
