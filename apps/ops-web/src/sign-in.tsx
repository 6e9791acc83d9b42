import { Field, Form, type Values } from '@constancia/web';
import { useState } from 'react';
import { Failure } from './parts/failure.tsx';
import { OpsSession } from './session.ts';
import { useText } from './text/language.ts';

/** Asks for the operator's token. */
export function SignIn({ onSession }: { onSession: (session: OpsSession) => void }) {
  const { text } = useText();
  const [failure, setFailure] = useState<unknown>(null);
  const signIn = ({ token = '', operator = '' }: Values): void => {
    OpsSession.signIn(token, operator).then(onSession, setFailure);
  };
  return (
    <>
      {failure !== null && <Failure error={failure} />}
      <Form submit={text.signIn} onValues={signIn}>
        <p>{text.signInAbout}</p>
        <Field name="operator" label={text.yourName} hint={text.nameHint} pattern="[ -~]{1,128}" />
        <Field name="token" label={text.token} type="password" required />
      </Form>
    </>
  );
}
