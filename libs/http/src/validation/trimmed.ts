import { Transform } from 'class-transformer';

/** Removes white space around a text before its rules are checked. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value));
}
