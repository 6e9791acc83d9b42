import type { components } from '@constancia/sdk/generated/compliance';
import { Field } from '@constancia/web';
import { useState } from 'react';
import { textIn } from '../parts/text-in.ts';
import { Ticks } from '../parts/ticks.tsx';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type Resolution = components['schemas']['ResolveCaseBody'];

/** What is decided, and why. With matches it is about whether the subject is the listed person; without, about the subject. */
export function ResolveFields({ hits }: { hits: Dossier['list_hits'] }) {
  const { words } = useCaseText();
  const [decision, setDecision] = useState('');
  const decisions = hits.length > 0 ? (['false_positive', 'true_match'] as const) : (['approve', 'reject'] as const);
  return (
    <>
      <Field
        name="decision"
        label={words.decision}
        hint={decision === 'true_match' ? words.trueMatchLead : undefined}
        options={[['', words.choose], ...decisions.map((each) => [each, words.decisions[each]] as const)]}
        onChosen={setDecision}
        required
      />
      {decision === 'false_positive' && (
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
