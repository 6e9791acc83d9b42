import { type DeliveryDetail, explainDelivery, type Explanation, type Step } from '@constancia/operations';
import { Button, State } from '@constancia/web';
import { useText } from '../text/language.ts';
import { useOperations } from './use-operations.ts';

const KINDS: Readonly<Record<string, 'wait' | 'good' | 'bad'>> = { delivered: 'good', failed: 'bad' };

export function DeliveryStatus({ status }: { status: string }) {
  const { text } = useText();
  const words: Readonly<Record<string, string>> = text.statuses;
  return <State kind={KINDS[status] ?? 'wait'}>{words[status] ?? status}</State>;
}

/** Why a delivery is where it is, and buttons for what helps. */
export function ExplainedDelivery({ delivery }: { delivery: DeliveryDetail }) {
  const { locale, clock } = useText();
  return <Explained explanation={explainDelivery(delivery, locale, clock)} />;
}

export function Explained({ explanation: { sentences, steps } }: { explanation: Explanation }) {
  const { text } = useText();
  return (
    <section className="card explanation">
      <h2>{text.why}</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div className="actions small">
        {steps.map((step) => (
          <StepButton key={step.do} step={step} />
        ))}
      </div>
    </section>
  );
}

function StepButton({ step: { do: what, id = '' } }: { step: Step }) {
  const { text } = useText();
  const { resumeEndpoint, replayDelivery } = useOperations();
  if (what === 'resume')
    return <Button onPress={() => resumeEndpoint(id)}>{text.operations.resumeEndpoint.title}</Button>;
  if (what === 'replay')
    return <Button onPress={() => replayDelivery(id)}>{text.operations.replayDelivery.title}</Button>;
  return what === 'lag' ? <a href="#lag">{text.sections.lag}</a> : null; // 'show' is where the reader is
}
