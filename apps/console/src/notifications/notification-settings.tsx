import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Field, Tick, useAnnounce } from '@constancia/web';
import { useId, useState } from 'react';
import { useMay } from '../member/member.tsx';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { KIND_SCOPES, type NotificationKind, offAfter } from './kinds.ts';
import { useNotificationText } from './text/language.ts';

type Settings = components['schemas']['NotificationSettings'];

const KEY = ['notification-settings'];

/** Of what the member is notified, by mail and in the console, and the language of the mails. */
export function NotificationSettings() {
  const { text, words } = useNotificationText();
  const may = useMay();
  const kinds = (Object.keys(KIND_SCOPES) as NotificationKind[]).filter((kind) => may(KIND_SCOPES[kind]));
  const [edited, setEdited] = useState<Settings | null>(null);
  const query = useRecord(KEY, ({ platform }) => platform.GET('/v1/notification-settings'));
  const onOf = (off: readonly NotificationKind[]): string => {
    const on = kinds.filter((kind) => !off.includes(kind));
    if (on.length > 0 && on.length === kinds.length) return text.all;
    return on.map((kind) => words.kinds[kind]).join(' · ') || text.none;
  };
  return (
    <section>
      <h2>{words.settings.title}</h2>
      <p className="help">{words.settings.about}</p>
      <Loaded query={query}>
        {(settings) => (
          <>
            <Facts
              pairs={[
                [words.settings.language, text.languages[settings.locale ?? 'es-CO']],
                [words.settings.mail, onOf(settings.mail_off)],
                [words.settings.console, onOf(settings.console_off)],
              ]}
            />
            <Button onPress={() => setEdited(settings)}>{words.settings.edit}</Button>
          </>
        )}
      </Loaded>
      {edited !== null && <SettingsDialog of={edited} kinds={kinds} onClose={() => setEdited(null)} />}
    </section>
  );
}

interface SettingsDialogProps {
  of: Settings;
  kinds: readonly NotificationKind[];
  onClose: () => void;
}

function SettingsDialog({ of: settings, kinds, onClose }: SettingsDialogProps) {
  const { text, words } = useNotificationText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.settings.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = {
          mail_off: offAfter(kinds, form.getAll('mail').map(String), settings.mail_off),
          locale: form.get('locale') as Settings['locale'],
          console_off: offAfter(kinds, form.getAll('console').map(String), settings.console_off),
        };
        await call(({ platform }) => platform.PUT('/v1/notification-settings', { body }), KEY);
        announce(words.settings.changed);
      }}
    >
      <Field
        name="locale"
        label={words.settings.language}
        defaultValue={settings.locale}
        options={Object.entries(text.languages)}
      />
      {kinds.map((kind) => (
        <fieldset key={kind} className="kind-ticks">
          <legend>{words.kinds[kind]}</legend>
          <KindTick name="mail" kind={kind} label={words.settings.mail} off={settings.mail_off} />
          <KindTick name="console" kind={kind} label={words.settings.console} off={settings.console_off} />
        </fieldset>
      ))}
    </FormDialog>
  );
}

interface KindTickProps {
  name: 'mail' | 'console';
  kind: NotificationKind;
  label: string;
  off: readonly NotificationKind[];
}

/** One way in which a member is notified of one kind; the kind is in the form under `name` when it is on. */
function KindTick({ name, kind, label, off }: KindTickProps) {
  const [on, setOn] = useState(!off.includes(kind));
  return (
    <>
      <Tick id={useId()} label={label} ticked={on} required={false} onTick={setOn} />
      {on && <input type="hidden" name={name} value={kind} />}
    </>
  );
}
