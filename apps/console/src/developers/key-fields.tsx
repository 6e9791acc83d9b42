import { type Scope, SCOPES } from '@constancia/contracts/scopes';
import type { components } from '@constancia/sdk/generated/platform';
import { Field } from '@constancia/web';
import { endOf, lastDayOf } from '../text/bogota-days.ts';
import { changesOf } from '../parts/changes-of.ts';
import { Ticks } from '../parts/ticks.tsx';
import { useMay } from '../member/member.tsx';
import { useDeveloperText } from './text/language.ts';

export type Key = components['schemas']['KeyView'];

/** What a key is called, what it may do, from where and until when. */
export function KeyFields({ of: key }: { of?: Key }) {
  const { words } = useDeveloperText();
  const may = useMay();
  const options = SCOPES.filter(may).map((scope) => [scope, words.scopes[scope]] as const);
  return (
    <>
      <Field
        name="name"
        label={words.keys.name}
        hint={words.keys.nameHint}
        maxLength={100}
        defaultValue={key?.name}
        required
      />
      <Ticks
        name="scopes"
        label={words.keys.scopes}
        hint={words.keys.scopesHint}
        options={options}
        ticked={key?.scopes ?? []}
      />
      <Field
        name="allowed_cidrs"
        label={words.keys.networks}
        hint={words.keys.networksHint}
        lines={3}
        defaultValue={key?.allowed_cidrs?.join('\n')}
      />
      <Field
        name="expires_at"
        type="date"
        label={words.keys.expires}
        hint={words.keys.expiresHint}
        defaultValue={key?.expires_at ? lastDayOf(key.expires_at) : undefined}
      />
    </>
  );
}

interface KeyBody {
  name: string;
  scopes: Scope[];
  allowed_cidrs: string[] | null;
  expires_at: string | null;
}

/** The form as the body of a new key. */
export function newKeyOf(form: FormData): KeyBody {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const networks = textOf('allowed_cidrs').split(/\s+/).filter(Boolean);
  return {
    name: textOf('name'),
    scopes: form.getAll('scopes') as Scope[],
    allowed_cidrs: networks.length === 0 ? null : networks,
    expires_at: textOf('expires_at') === '' ? null : endOf(textOf('expires_at')),
  };
}

export const keyChangesOf = (form: FormData, key: Key): Partial<KeyBody> =>
  changesOf(newKeyOf(form), { ...key, expires_at: key.expires_at && endOf(lastDayOf(key.expires_at)) });
