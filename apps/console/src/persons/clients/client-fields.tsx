import type { components } from '@constancia/sdk/generated/platform';
import { Field } from '@constancia/web';
import { changesOf } from '../../parts/changes-of.ts';
import { Ticks } from '../../parts/ticks.tsx';
import { usePersonText } from '../text/language.ts';

type Schemas = components['schemas'];
export type Client = Schemas['OidcClient'];
type NewClient = Schemas['NewOidcClientBody'];
type ClientChanges = Schemas['OidcClientChangesBody'];

/** What a client is called, where it sends persons back to, and what it may ask for. */
export function ClientFields({ of: client }: { of?: Client }) {
  const { words } = usePersonText();
  const { clients } = words;
  const isNew = client === undefined;
  const hasKeys = isNew || client.token_endpoint_auth_method === 'private_key_jwt';
  const optionsOf = <Value extends string>(texts: Record<Value, string>) => Object.entries(texts) as [Value, string][];
  return (
    <>
      <Field
        name="name"
        label={clients.name}
        hint={clients.nameHint}
        maxLength={100}
        defaultValue={client?.name}
        required
      />
      {isNew && (
        <>
          <Field name="type" label={clients.type} options={Object.entries(clients.types)} />
          <Field
            name="token_endpoint_auth_method"
            label={clients.method}
            options={[['', clients.usual], ...Object.entries(clients.methods)]}
          />
        </>
      )}
      <Field
        name="redirect_uris"
        label={clients.redirects}
        hint={clients.redirectsHint}
        lines={3}
        defaultValue={client?.redirect_uris.join('\n')}
        required
      />
      <Field
        name="post_logout_redirect_uris"
        label={clients.logouts}
        lines={2}
        defaultValue={client?.post_logout_redirect_uris.join('\n')}
      />
      <Ticks
        name="scopes"
        label={clients.scopes}
        options={optionsOf(clients.scopeTexts)}
        ticked={client?.scopes ?? ['openid']}
      />
      <Ticks
        name="safety"
        label={clients.safety}
        options={optionsOf(clients.safetyTexts)}
        ticked={(['dpop_required', 'par_required'] as const).filter((name) => client?.[name] === true)}
      />
      {hasKeys && (
        <Field
          name="jwks"
          label={clients.jwks}
          hint={clients.jwksHint}
          lines={4}
          defaultValue={client?.jwks ? JSON.stringify(client.jwks) : undefined}
        />
      )}
    </>
  );
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
const linesOf = (form: FormData, name: string): string[] => textOf(form, name).split(/\s+/).filter(Boolean);

/** What is no JSON goes as it is: the API says so. */
function keysOf(text: string): NonNullable<NewClient['jwks']> {
  try {
    return JSON.parse(text) as NonNullable<NewClient['jwks']>;
  } catch {
    return text as never;
  }
}

function sharedOf(form: FormData) {
  const safety = form.getAll('safety');
  return {
    name: textOf(form, 'name'),
    redirect_uris: linesOf(form, 'redirect_uris'),
    post_logout_redirect_uris: linesOf(form, 'post_logout_redirect_uris'),
    scopes: form.getAll('scopes') as NewClient['scopes'],
    dpop_required: safety.includes('dpop_required'),
    par_required: safety.includes('par_required'),
  };
}

/** The form as the body of a new client. */
export function newClientOf(form: FormData): NewClient {
  const method = textOf(form, 'token_endpoint_auth_method') as NewClient['token_endpoint_auth_method'] | '';
  const keys = textOf(form, 'jwks');
  return {
    ...sharedOf(form),
    type: textOf(form, 'type') as NewClient['type'],
    ...(method !== '' && { token_endpoint_auth_method: method }),
    ...(keys !== '' && { jwks: keysOf(keys) }),
  };
}

/** What the form changes of a client. */
export function clientChangesOf(form: FormData, client: Client): ClientChanges {
  const keys = textOf(form, 'jwks');
  const areNew = keys !== '' && keys !== JSON.stringify(client.jwks);
  return {
    ...changesOf(sharedOf(form), client),
    ...(areNew && { jwks: keysOf(keys) }),
  };
}
