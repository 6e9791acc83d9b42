import { Button, Entry, Notice, Screen, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { beginSso } from '../api/console-host.ts';
import type { SsoAddress, SsoFailure } from './sso-address.ts';
import { useText } from '../text/language.ts';

const SLUG = /^[a-z0-9-]{1,63}$/;

interface SignInWithSsoProps {
  address: SsoAddress;
  onCode: () => void;
}

/**
 * Leads to the organization's own identity provider, on a press: opening the address alone would let another page sign the reader in at a
 * provider of its own choice.
 */
export function SignInWithSso({ address, onCode }: SignInWithSsoProps) {
  const { text, signInSentenceOf } = useText();
  const focus = useFocus();
  const [slug, setSlug] = useState(address.slug);
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<SsoFailure | null>(address.failure);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const isKnown = address.slug !== '';

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const name = slug.trim().toLowerCase();
    setFailure(null);
    setError(null);
    setFault(SLUG.test(name) ? null : text.sso.noSlug);
    if (!SLUG.test(name)) return focus('slug');
    setBusy(true);
    beginSso(name).then(
      ({ location: provider }) => location.assign(provider),
      (refused: unknown) => {
        setBusy(false);
        if (!(refused instanceof ApiError)) return setError(refused);
        if (refused.status === 503) return setFailure('unavailable');
        if (refused.status !== 404) return setError(refused);
        if (isKnown) return setFailure('unknown');
        setFault(text.sso.failures.unknown);
        focus('slug');
      },
    );
  };

  return (
    <Screen
      title={isKnown ? text.sso.titleOf(address.slug) : text.sso.title}
      lead={isKnown ? text.sso.leadKnown : text.sso.lead}
    >
      {failure !== null && <Notice tone="error">{text.sso.failures[failure]}</Notice>}
      {error !== null && <Notice tone="error">{signInSentenceOf(error)}</Notice>}
      <form onSubmit={submit} noValidate>
        {!isKnown && (
          <Entry id="slug" label={text.sso.slug} help={text.sso.slugHelp} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                autoComplete="organization"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={63}
                value={slug}
                onChange={(event) => setSlug(event.target.value)}
              />
            )}
          </Entry>
        )}
        <div className="actions">
          <Button look="primary" submit busy={busy}>
            {text.sso.submit}
          </Button>
          <Button look="quiet" onPress={onCode}>
            {text.sso.withCode}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
