import { useState } from 'react';
import type { Placed } from './placed.ts';

export interface Fields<Field extends Placed> {
  all: readonly Field[];
  /** The id of the field that is worked with. */
  chosen: string | null;
  choose: (id: string | null) => void;
  add: (field: Field) => void;
  change: (id: string, changed: Partial<Field>) => void;
  remove: (id: string) => void;
  replace: (fields: readonly Field[]) => void;
}

/** The fields that somebody places, until they are saved. */
export function useFields<Field extends Placed>(initial: readonly Field[]): Fields<Field> {
  const [all, setAll] = useState(initial);
  const [chosen, choose] = useState<string | null>(null);
  return {
    all,
    chosen,
    choose,
    add: (field) => {
      setAll((before) => [...before, field]);
      choose(field.id);
    },
    change: (id, changed) =>
      setAll((before) => before.map((field) => (field.id === id ? { ...field, ...changed } : field))),
    remove: (id) => {
      setAll((before) => before.filter((field) => field.id !== id));
      choose(null);
    },
    replace: setAll,
  };
}

/** A name for a field on this page alone. */
export const newId = (): string => crypto.randomUUID();
