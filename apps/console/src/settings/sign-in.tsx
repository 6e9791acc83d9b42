import { Button, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { RequiredMethod } from '../api/console-host.ts';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useMay, useSignedIn } from '../member/member.tsx';
import { SsoCard } from './sso-card.tsx';
import { useSettingsText } from './text/language.ts';

const SIGN_IN_SETTINGS = ['sign-in-settings'];

/** How members sign in. */
export function SignInSettings() {
  const { words } = useSettingsText();
  const may = useMay();
  const { member } = useSignedIn().view;
  return (
    <>
      <PageHead title={words.signIn.title} lead={words.signIn.lead} />
      {may('settings:write') && member.role !== 'owner' && <p className="help">{words.signIn.ownersOnly}</p>}
      <div className="cards">
        <RequiredMethodCard />
        <SsoCard />
      </div>
    </>
  );
}

function RequiredMethodCard() {
  const { words } = useSettingsText();
  const { member } = useSignedIn().view;
  const [edited, setEdited] = useState<RequiredMethod | '' | null>(null);
  const query = useRecord(SIGN_IN_SETTINGS, ({ platform }) => platform.GET('/v1/sign-in-settings'));
  return (
    <section className="card">
      <h2>{words.signIn.required}</h2>
      <Loaded query={query}>
        {({ required_method: required }) => (
          <>
            <p>{words.signIn.methods[required ?? '']}</p>
            {member.role === 'owner' && <Button onPress={() => setEdited(required ?? '')}>{words.signIn.edit}</Button>}
          </>
        )}
      </Loaded>
      {edited !== null && <RequiredMethodDialog required={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

function RequiredMethodDialog({ required, onClose }: { required: string; onClose: () => void }) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.signIn.edit}
      lead={words.signIn.requiredLead}
      submit={text.save}
      problems={words.signIn.problems}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = { required_method: (form.get('required_method') || null) as RequiredMethod | null };
        await call(({ platform }) => platform.PUT('/v1/sign-in-settings', { body }), SIGN_IN_SETTINGS, ['sso']);
        announce(words.signIn.changed);
      }}
    >
      <Field
        name="required_method"
        label={words.signIn.required}
        options={Object.entries(words.signIn.methods)}
        defaultValue={required}
      />
    </FormDialog>
  );
}
