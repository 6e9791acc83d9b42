import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Facts, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall, useRecord } from '../member/queries.ts';
import { changesOf } from '../parts/changes-of.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Ticks } from '../parts/ticks.tsx';
import { useMay } from '../member/member.tsx';
import { useSettingsText } from './text/language.ts';

type Settings = components['schemas']['ComplianceSettings'];

const KEY = ['compliance-settings'];

/** Which decisions need a second person. */
export function FourEyes() {
  const { words } = useSettingsText();
  const { publishingTick, actorsTick, actorsOff, monitoringTick, monitoringOff } = words.fourEyes;
  const may = useMay();
  const [edited, setEdited] = useState<Settings | null>(null);
  const query = useRecord(KEY, ({ compliance }) => compliance.GET('/v1/compliance-settings'));
  return (
    <>
      <PageHead title={words.fourEyes.title} lead={words.fourEyes.lead}>
        {may('settings:write') && query.data !== undefined && (
          <Button look="primary" onPress={() => setEdited(query.data)}>
            {words.fourEyes.edit}
          </Button>
        )}
      </PageHead>
      <Loaded query={query}>
        {(settings) => (
          <Facts
            pairs={[
              [words.fourEyes.resolutions, words.fourEyes.modes[settings.four_eyes]],
              [words.fourEyes.publishing, settings.publish_four_eyes ? publishingTick : words.fourEyes.modes.off],
              [words.fourEyes.actors, settings.trusted_actor ? actorsTick : actorsOff],
              [words.fourEyes.monitoring, settings.monitoring ? monitoringTick : monitoringOff],
            ]}
          />
        )}
      </Loaded>
      {edited !== null && <FourEyesDialog of={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

type Editable = Pick<Settings, 'four_eyes' | 'publish_four_eyes' | 'trusted_actor' | 'monitoring'>;

const editable = ({ four_eyes, publish_four_eyes, trusted_actor, monitoring }: Settings): Editable => {
  return { four_eyes, publish_four_eyes, trusted_actor, monitoring };
};

/** Sends what was changed here on what holds now: what another member changed meanwhile stays. */
function FourEyesDialog({ of: settings, onClose }: { of: Settings; onClose: () => void }) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const call = useCall();
  const ticks = (name: 'publish_four_eyes' | 'trusted_actor' | 'monitoring', label: string, option: string) => (
    <Ticks name={name} label={label} options={[[name, option]]} ticked={settings[name] ? [name] : []} />
  );
  return (
    <FormDialog
      title={words.fourEyes.editTitle}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const now = await call(({ compliance }) => compliance.GET('/v1/compliance-settings'));
        const edited = {
          four_eyes: form.get('four_eyes') as Settings['four_eyes'],
          publish_four_eyes: form.has('publish_four_eyes'),
          trusted_actor: form.has('trusted_actor'),
          monitoring: form.has('monitoring'),
        };
        const body = { ...editable(now), ...changesOf(edited, settings) };
        await call(({ compliance }) => compliance.PUT('/v1/compliance-settings', { body }), KEY);
        announce(words.fourEyes.changed);
      }}
    >
      <Field
        name="four_eyes"
        label={words.fourEyes.resolutions}
        options={Object.entries(words.fourEyes.modes)}
        defaultValue={settings.four_eyes}
      />
      {ticks('publish_four_eyes', words.fourEyes.publishing, words.fourEyes.publishingTick)}
      {ticks('trusted_actor', words.fourEyes.actors, words.fourEyes.actorsTick)}
      {ticks('monitoring', words.fourEyes.monitoring, words.fourEyes.monitoringTick)}
    </FormDialog>
  );
}
