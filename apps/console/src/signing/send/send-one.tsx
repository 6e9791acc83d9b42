import { canonicalJson } from '@constancia/kernel/canonical-json';
import type { PhoneProblem } from '@constancia/reference-data/phone-numbers';
import { Button, Field, FieldFaults, useAnnounce, useRefusalShown } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { Failure } from '../../parts/failure.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { textIn } from '../../parts/text-in.ts';
import { useAction } from '../../parts/use-action.ts';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { ENVELOPES } from '../envelopes/use-envelope.ts';
import { useSigningText } from '../text/language.ts';
import type { EnvelopeBody } from './envelope-key.ts';
import { optionFaults, OptionFields, optionsIn } from './options.tsx';
import { phoneOf } from './phone.ts';
import { type EnvelopeSigner, faultsOf as faultsOfRow, hasPhone, type RowFault } from './row.ts';
import { SentBefore } from './sent-before.tsx';
import { valueFaults, ValueFields, valuesIn } from './value-fields.tsx';
import { mayBeSent, type SentEnvelope, useSendEnvelope } from './use-send-envelope.ts';

/** What the API calls a number that is none of a phone. */
const PHONE_CODES: readonly PhoneProblem[] = ['not_e164', 'no_country', 'premium', 'not_mobile'];

/** The entry that a fault is of. */
const MEMBERS: Partial<Record<RowFault, string>> = { email: 'email', phone: 'phone', accessCode: 'access_code' };

/** One envelope: a person for each role. */
export function SendOne({ circuit }: { circuit: CircuitRow }) {
  const { words, faultsOf, signerRole } = useSigningText();
  const send = useSendEnvelope();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [typed, setTyped] = useState(false);
  const [faults, setFaults] = useState<Readonly<Record<string, string>> | null>(null);
  const [earlier, setEarlier] = useState<{ body: EnvelopeBody; id: SentEnvelope['id'] } | null>(null);
  const form = useRefusalShown<HTMLFormElement>(faults ?? error);
  const last = useRef({ content: '', copy: 0, unanswered: false });
  const leave = useLeaveGuard({ unsaved: typed });

  const sendNow = (body: EnvelopeBody, onPurpose: boolean): Promise<void> =>
    run('send', async () => {
      const content = canonicalJson(body);
      if (last.current.content !== content) last.current = { content, copy: 0, unanswered: false };
      const attempt = last.current;
      if (onPurpose) Object.assign(attempt, { copy: attempt.copy + 1, unanswered: false });
      setEarlier(null);
      try {
        const { id, before } = await send(body, attempt.copy);
        void queries.invalidateQueries({ queryKey: ENVELOPES });
        if (id === null || (before && !attempt.unanswered)) return setEarlier({ body, id });
        leave.letPass();
        announce(words.send.sent);
        await navigate({ to: '/signing/envelopes/$id', params: { id } });
      } catch (failure) {
        if (mayBeSent(failure)) attempt.unanswered = true;
        throw failure;
      }
    });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const signers = circuit.signers.map(({ role }) => signerIn(form, role));
    const wrong = signers.flatMap((signer) =>
      faultsOfRow(circuit, [signer], '').map((fault) => {
        const member = MEMBERS[fault] ?? 'name';
        return [`${signer.role}_${member}`, words.send.faults[fault]] as const;
      }),
    );
    setFaults(wrong.length === 0 ? null : Object.fromEntries(wrong));
    if (wrong.length === 0)
      void sendNow({ circuit_id: circuit.id, signers, ...valuesIn(form, circuit), ...optionsIn(form) }, false);
  };
  const refused = faultsOf(error, Object.fromEntries(PHONE_CODES.map((code) => [code, words.send.faults.phone])));
  const ofSigners = circuit.signers.flatMap(({ role }, at) =>
    ['email', 'phone', 'name', 'access_code'].map((member) => [
      `${role}_${member}`,
      refused[`signers/${at}/${member}`] ?? '',
    ]),
  );
  const onChange = (): void => {
    setTyped(true);
    setEarlier(null);
  };

  return (
    <form ref={form} className="card" {...{ onSubmit, onChange }}>
      {leave.dialog}
      {error !== null && <Failure error={error} />}
      {earlier !== null && (
        <SentBefore id={earlier.id} busy={busy !== null} onAgain={() => void sendNow(earlier.body, true)} />
      )}
      <FieldFaults
        value={{
          ...refused,
          ...valueFaults(refused),
          ...optionFaults(refused),
          ...Object.fromEntries(ofSigners),
          ...faults,
        }}
      >
        {circuit.signers.map(({ role, auth }) => (
          <fieldset key={role} className="signer-row">
            <legend>{signerRole(role)}</legend>
            <Field name={`${role}_email`} type="email" label={words.send.email} maxLength={254} required />
            {hasPhone(auth) && (
              <Field
                name={`${role}_phone`}
                type="tel"
                label={words.send.phone}
                hint={words.send.phoneHint}
                maxLength={30}
                required
              />
            )}
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
        <ValueFields circuit={circuit} />
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
  const phone = phoneOf(textIn(form, `${role}_phone`));
  return {
    role,
    email: textIn(form, `${role}_email`),
    ...(phone !== '' && { phone }),
    ...(name !== '' && { name }),
    ...(code !== '' && { access_code: code }),
  };
}
