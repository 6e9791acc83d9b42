import { Field } from '@constancia/web';
import { useDeveloperText } from './text/language.ts';

/** For how long a former secret stays valid, in seconds, as `grace_seconds`. */
export function GraceField({ label }: { label: string }) {
  const { words } = useDeveloperText();
  return <Field name="grace_seconds" label={label} options={Object.entries(words.keys.graces)} defaultValue="86400" />;
}
