import { Field } from '@constancia/web';
import { useText } from '../text/language.ts';

/** For how long a former secret stays valid, in seconds, as `grace_seconds`. */
export function GraceField({ label }: { label: string }) {
  const { text } = useText();
  return <Field name="grace_seconds" label={label} options={Object.entries(text.graces)} defaultValue="86400" />;
}
