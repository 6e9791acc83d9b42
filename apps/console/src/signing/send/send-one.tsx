import { Button, Field, FieldFaults, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { isFinal } from '../../parts/is-final.ts';
import { useAction } from '../../parts/use-action.ts';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { ENVELOPES } from '../envelopes/use-envelope.ts';
import { useSigningText } from '../text/language.ts';
import { OptionFields, optionsIn, textIn } from './options.tsx';
import { type EnvelopeSigner, faultsOf } from './recipients.ts';

/** One envelope: a person for each role. */
export function SendOne({ circuit }: { circuit: CircuitRow }) {
  const { words } = useSigningText();
  const call = useCall();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const sent = useRef({ content: '', key: '' });

  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const signers = circuit.signers.map(({ role }) => signerIn(form, role));
    const wrong = signers.flatMap((signer) =>
      faultsOf(circuit, [signer], '').map((fault) => {
        const member = fault === 'email' ? 'email' : fault === 'accessCode' ? 'access_code' : 'name';
        return [`${signer.role}_${member}`, words.send.faults[fault]] as const;
      }),
    );
    setFaults(Object.fromEntries(wrong));
    if (wrong.length > 0) return;
    const body = { circuit_id: circuit.id, signers, ...optionsIn(form) };
    void run('send', async () => {
      const content = JSON.stringify(body);
      if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
      const params = { header: { 'Idempotency-Key': sent.current.key } };
      try {
        const { id } = await call(({ signing }) => signing.POST('/v1/envelopes', { params, body }), ENVELOPES);
        announce(words.send.sent);
        await navigate({ to: '/signing/envelopes/$id', params: { id } });
      } catch (failure) {
        if (isFinal(failure)) sent.current = { content: '', key: '' };
        throw failure;
      }
    });
  };

  return (
    <form className="card" onSubmit={onSubmit} noValidate={false}>
      {error !== null && <Failure error={error} />}
      <FieldFaults value={faults}>
        {circuit.signers.map(({ role, auth }) => (
          <fieldset key={role} className="signer-row">
            <legend>{role}</legend>
            <Field name={`${role}_email`} type="email" label={words.send.email} maxLength={254} required />
            <Field
              name={`${role}_name`}
              label={words.send.personName}
              maxLength={120}
              required={auth.includes('identity')}
            />
            {auth.includes('access_code') && (
              <Field
                name={`${role}_access_code`}
                label={words.send.accessCode}
                hint={words.send.accessCodeHint}
                maxLength={64}
                required
              />
            )}
          </fieldset>
        ))}
        <OptionFields />
      </FieldFaults>
      <Button look="primary" submit busy={busy !== null}>
        {words.send.submit}
      </Button>
    </form>
  );
}

function signerIn(form: FormData, role: string): EnvelopeSigner {
  const name = textIn(form, `${role}_name`);
  const code = textIn(form, `${role}_access_code`);
  return {
    role,
    email: textIn(form, `${role}_email`),
    ...(name !== '' && { name }),
    ...(code !== '' && { access_code: code }),
  };
}
