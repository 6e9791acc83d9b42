import { Button, Facts, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useSignedIn } from '../member/member.tsx';
import { type Sso, SSO, SsoDialog } from './sso-dialog.tsx';
import { useSettingsText } from './text/language.ts';

/** The tenant's own identity provider. Its client secret is never shown. */
export function SsoCard() {
  const { words, yesNo } = useSettingsText();
  const announce = useAnnounce();
  const { member } = useSignedIn().view;
  const call = useCall();
  const [asked, setAsked] = useState<'edit' | 'remove' | null>(null);
  const query = useRecord<Sso>(SSO, ({ platform }) => platform.GET('/v1/sso'));
  const none = query.error instanceof ApiError && query.error.status === 404;
  const sso = none ? undefined : query.data;
  const close = (): void => setAsked(null);

  return (
    <section className="card">
      <h2>{words.sso.title}</h2>
      <p className="help">{words.sso.lead}</p>
      {none ? (
        <p>{words.sso.none}</p>
      ) : (
        <Loaded query={query}>
          {(shown) => (
            <Facts
              pairs={[
                [words.sso.issuer, shown.issuer],
                [words.sso.clientId, <code key="client">{shown.client_id}</code>],
                [words.sso.domains, shown.domains.join(', ')],
                [words.sso.claim, shown.role_claim],
                [words.sso.map, shown.role_map && <RoleMap key="map" of={shown.role_map} />],
                [words.sso.enforce, yesNo(shown.enforce)],
                [words.sso.redirect, <code key="redirect">{shown.redirect_uri}</code>],
                [words.sso.signInUrl, <code key="link">{shown.sign_in_url}</code>],
              ]}
            />
          )}
        </Loaded>
      )}
      {member.role === 'owner' && (none || sso !== undefined) && (
        <div className="actions small">
          <Button onPress={() => setAsked('edit')}>{none ? words.sso.setUp : words.sso.edit}</Button>
          {sso !== undefined && <Button onPress={() => setAsked('remove')}>{words.sso.removeTitle}</Button>}
        </div>
      )}
      {asked === 'edit' && <SsoDialog of={sso} onClose={close} />}
      {asked === 'remove' && (
        <FormDialog
          title={words.sso.removeTitle}
          lead={words.sso.removeLead}
          submit={words.remove}
          dangerous
          onClose={close}
          onSubmit={async () => {
            await call(({ platform }) => platform.DELETE('/v1/sso'), SSO, ['sign-in-settings']);
            announce(words.sso.removed);
          }}
        />
      )}
    </section>
  );
}

function RoleMap({ of: map }: { of: Readonly<Record<string, string>> }) {
  const { roleOf } = useSettingsText();
  return (
    <ul className="links">
      {Object.entries(map).map(([group, role]) => (
        <li key={group}>
          {group}: {roleOf(role)}
        </li>
      ))}
    </ul>
  );
}
