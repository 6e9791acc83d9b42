import type { components } from '@constancia/sdk/generated/platform';
import { Field, useAnnounce } from '@constancia/web';
import { useCall } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Ticks } from '../parts/ticks.tsx';
import { useSettingsText } from './text/language.ts';

export type Sso = components['schemas']['SsoView'];
type Body = components['schemas']['SsoBody'];

export const SSO = ['sso'];

/** Sets up an identity provider, or changes how it is used. */
export function SsoDialog({ of: sso, onClose }: { of: Sso | undefined; onClose: () => void }) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={sso === undefined ? words.sso.setUp : words.sso.edit}
      submit={text.save}
      problems={words.sso.problems}
      faults={words.provider}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = ssoOf(form);
        await call(({ platform }) => platform.PUT('/v1/sso', { body }), SSO, ['sign-in-settings']);
        announce(words.sso.changed);
      }}
    >
      <Field
        name="issuer"
        label={words.sso.issuer}
        hint={words.sso.issuerHint}
        maxLength={512}
        placeholder="https://login.notaria.example/realms/empleados"
        defaultValue={sso?.issuer}
        required
      />
      <Field name="client_id" label={words.sso.clientId} maxLength={255} defaultValue={sso?.client_id} required />
      <Field
        name="client_secret"
        type="password"
        label={words.sso.secret}
        hint={sso === undefined ? words.sso.secretHint : `${words.sso.secretHint} ${words.sso.secretKept}`}
        maxLength={1024}
        required={sso === undefined}
      />
      <Field
        name="domains"
        label={words.sso.domains}
        hint={words.sso.domainsHint}
        lines={2}
        defaultValue={sso?.domains.join('\n')}
        required
      />
      <Field
        name="role_claim"
        label={words.sso.claim}
        hint={words.sso.claimHint}
        maxLength={200}
        defaultValue={sso?.role_claim ?? ''}
      />
      <Field
        name="role_map"
        label={words.sso.map}
        hint={words.sso.mapHint}
        lines={3}
        defaultValue={Object.entries(sso?.role_map ?? {})
          .map(([group, role]) => `${group} = ${role}`)
          .join('\n')}
      />
      <Ticks
        name="enforce"
        label={words.sso.enforce}
        options={[['enforce', words.sso.enforceTick]]}
        ticked={sso?.enforce === true ? ['enforce'] : []}
      />
    </FormDialog>
  );
}

/** The form as the body of the request, which replaces everything but a secret that is left out. */
function ssoOf(form: FormData): Body {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const secret = textOf('client_secret');
  const claim = textOf('role_claim');
  const map = roleMapOf(textOf('role_map'));
  return {
    issuer: textOf('issuer'),
    client_id: textOf('client_id'),
    ...(secret !== '' && { client_secret: secret }),
    domains: textOf('domains')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    ...(claim !== '' && { role_claim: claim }),
    ...(Object.keys(map).length > 0 && { role_map: map as Body['role_map'] }),
    enforce: form.has('enforce'),
  };
}

/** Lines of `group = role`; the name of a group may hold an equals sign. What is no role is refused by the API. */
function roleMapOf(lines: string): Record<string, string> {
  const pairs = lines
    .split('\n')
    .map((line) => [line.slice(0, line.lastIndexOf('=')), line.slice(line.lastIndexOf('=') + 1)] as const)
    .map(([group, role]) => [group.trim(), role.trim()] as const);
  return Object.fromEntries(pairs.filter(([group, role]) => group !== '' || role !== ''));
}
