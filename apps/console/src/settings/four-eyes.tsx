import { Button, Facts, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { type ComplianceSettings, useComplianceChange, useComplianceSettings } from '../member/compliance-settings.ts';
import { changesOf } from '../parts/changes-of.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Ticks } from '../parts/ticks.tsx';
import { useMay } from '../member/member.tsx';
import { useSettingsText } from './text/language.ts';

/** Which decisions need a second person. */
export function FourEyes() {
  const { words } = useSettingsText();
  const { publishingTick, actorsTick, actorsOff, monitoringTick, monitoringOff } = words.fourEyes;
  const may = useMay();
  const [edited, setEdited] = useState<ComplianceSettings | null>(null);
  const query = useComplianceSettings();
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

/** Sends what was changed here alone. */
function FourEyesDialog({ of: settings, onClose }: { of: ComplianceSettings; onClose: () => void }) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const change = useComplianceChange();
  const ticks = (name: 'publish_four_eyes' | 'trusted_actor' | 'monitoring', label: string, option: string) => (
    <Ticks name={name} label={label} options={[[name, option]]} ticked={settings[name] ? [name] : []} />
  );
  return (
    <FormDialog
      title={words.fourEyes.editTitle}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const edited = {
          four_eyes: form.get('four_eyes') as ComplianceSettings['four_eyes'],
          publish_four_eyes: form.has('publish_four_eyes'),
          trusted_actor: form.has('trusted_actor'),
          monitoring: form.has('monitoring'),
        };
        await change(changesOf(edited, settings));
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
