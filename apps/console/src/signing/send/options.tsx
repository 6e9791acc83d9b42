import type { components } from '@constancia/sdk/generated/signing';
import { Field } from '@constancia/web';
import { textIn } from '../../parts/text-in.ts';
import { useEnvelopeLocale } from './envelope-locale.ts';
import { useSigningText } from '../text/language.ts';

type Body = components['schemas']['CreateEnvelopeBody'];

/** What is the same for every envelope that is sent. */
export function OptionFields() {
  const { words } = useSigningText();
  const { locale, keep } = useEnvelopeLocale();
  return (
    <>
      <Field name="subject" label={words.send.subject} hint={words.send.subjectHint} maxLength={150} />
      <Field name="message" label={words.send.message} lines={3} maxLength={2000} />
      <div className="entries">
        <Field
          name="expires_in_days"
          type="number"
          min={1}
          max={365}
          defaultValue={30}
          label={words.send.days}
          required
        />
        <Field
          key={String(locale === null)}
          name="locale"
          label={words.send.language}
          defaultValue={locale ?? 'es-CO'}
          options={Object.entries(words.send.languages)}
          onChosen={(chosen) => keep(chosen === 'en' ? 'en' : 'es-CO')}
        />
      </div>
      <div className="entries">
        <Field
          name="after_days"
          type="number"
          min={1}
          max={90}
          label={words.send.remindAfter}
          hint={words.send.remindHint}
        />
        <Field name="every_days" type="number" min={1} max={90} label={words.send.remindEvery} />
        <Field name="most" type="number" min={1} max={10} label={words.send.remindMost} />
      </div>
    </>
  );
}

/** The options as part of a body. */
export function optionsIn(form: FormData): Omit<Body, 'circuit_id' | 'signers'> {
  const subject = textIn(form, 'subject');
  const message = textIn(form, 'message');
  return {
    ...(subject !== '' && { subject }),
    ...(message !== '' && { message }),
    expires_in_days: Number(form.get('expires_in_days')),
    ...remindersIn(form),
    locale: textIn(form, 'locale') as NonNullable<Body['locale']>,
  };
}

/** No reminders when `after_days` is empty. */
function remindersIn(form: FormData): Pick<Body, 'reminders'> {
  const daysIn = (name: string): number => Number(textIn(form, name));
  const [after_days, every_days, most] = [daysIn('after_days'), daysIn('every_days'), daysIn('most')];
  if (after_days === 0) return {};
  return { reminders: { after_days, ...(every_days > 0 && { every_days }), ...(most > 0 && { most }) } };
}

/** The errors of reminders, by the names of their fields in the form. */
export const optionFaults = (refused: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(refused).flatMap(([member, fault]) =>
      member.startsWith('reminders/') ? [[member.slice('reminders/'.length), fault]] : [],
    ),
  );
