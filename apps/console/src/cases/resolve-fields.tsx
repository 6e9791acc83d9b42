import type { components } from '@constancia/sdk/generated/compliance';
import { Field } from '@constancia/web';
import { textIn } from '../parts/text-in.ts';
import { Ticks } from '../parts/ticks.tsx';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type Resolution = components['schemas']['ResolveCaseBody'];

/** What is decided, and why. With matches it is about whether the subject is the listed person; without, about the subject. */
export function ResolveFields({ hits }: { hits: Dossier['list_hits'] }) {
  const { words } = useCaseText();
  const decisions = hits.length > 0 ? (['false_positive', 'true_match'] as const) : (['approve', 'reject'] as const);
  return (
    <>
      <Field
        name="decision"
        label={words.decision}
        hint={hits.length > 0 ? words.trueMatchLead : undefined}
        options={decisions.map((decision) => [decision, words.decisions[decision]] as const)}
      />
      {hits.length > 0 && (
        <Ticks
          name="discriminating_data"
          label={words.discriminating}
          hint={hits.includes('ONU') ? words.discriminatingHint : undefined}
          options={Object.entries(words.facts)}
          ticked={[]}
        />
      )}
      <Field name="reason" label={words.reason} hint={words.reasonHint} lines={4} maxLength={2000} required />
    </>
  );
}

/** The form as the body of the decision. */
export function resolutionOf(form: FormData): Resolution {
  const decision = String(form.get('decision')) as Resolution['decision'];
  const facts = form.getAll('discriminating_data') as NonNullable<Resolution['discriminating_data']>;
  return {
    decision,
    reason: textIn(form, 'reason'),
    ...(facts.length > 0 && { discriminating_data: facts }),
  };
}
