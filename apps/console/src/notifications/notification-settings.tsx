import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useMay } from '../member/member.tsx';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Ticks } from '../parts/ticks.tsx';
import { KIND_SCOPES, type NotificationKind, offAfter } from './kinds.ts';
import { useNotificationText } from './text/language.ts';

type Settings = components['schemas']['NotificationSettings'];

const KEY = ['notification-settings'];

/** Of what the member is notified, by mail and in the console; nothing for roles that are notified of nothing. */
export function NotificationSettings() {
  const { text, words } = useNotificationText();
  const may = useMay();
  const kinds = (Object.keys(KIND_SCOPES) as NotificationKind[]).filter((kind) => may(KIND_SCOPES[kind]));
  const [edited, setEdited] = useState<Settings | null>(null);
  const query = useRecord(
    KEY,
    ({ platform }) => platform.GET('/v1/notification-settings'),
    undefined,
    kinds.length > 0,
  );
  if (kinds.length === 0) return null;
  const onOf = (off: readonly NotificationKind[]): string =>
    kinds
      .filter((kind) => !off.includes(kind))
      .map((kind) => words.kinds[kind])
      .join(' · ') || text.none;
  return (
    <section>
      <h2>{words.settings.title}</h2>
      <p className="help">{words.settings.about}</p>
      <Loaded query={query}>
        {(settings) => (
          <>
            <Facts
              pairs={[
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
  const options = kinds.map((kind) => [kind, words.kinds[kind]] as const);
  const on = (off: readonly NotificationKind[]) => kinds.filter((kind) => !off.includes(kind));
  return (
    <FormDialog
      title={words.settings.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = {
          mail_off: offAfter(kinds, form.getAll('mail').map(String), settings.mail_off),
          console_off: offAfter(kinds, form.getAll('console').map(String), settings.console_off),
        };
        await call(({ platform }) => platform.PUT('/v1/notification-settings', { body }), KEY);
        announce(words.settings.changed);
      }}
    >
      <Ticks name="mail" label={words.settings.mail} options={options} ticked={on(settings.mail_off)} />
      <Ticks name="console" label={words.settings.console} options={options} ticked={on(settings.console_off)} />
    </FormDialog>
  );
}
