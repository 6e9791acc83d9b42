import type { OpsRequest } from '@constancia/operations';
import type { ReactNode } from 'react';
import { useAnswer } from '../ops.tsx';
import { useText } from '../text/language.ts';
import { Failure } from './failure.tsx';

/** Shows the answer to a request, loaded again with every refresh. */
export function Loaded<Answer>(props: { request: OpsRequest<Answer>; children: (answer: Answer) => ReactNode }) {
  const { text } = useText();
  const { answer, error } = useAnswer(props.request);
  if (error !== undefined) return <Failure error={error} />;
  return answer === undefined ? <p>{text.loading}</p> : props.children(answer);
}
