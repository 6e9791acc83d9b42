import { Button, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useComplianceChange, useComplianceSettings } from '../../member/compliance-settings.ts';
import { useMay } from '../../member/member.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useListText } from '../text/language.ts';

/** Whether subjects are screened again at all, and for whom may change it, the way to start or stop that. */
export function MonitoringSwitch() {
  const { words } = useListText();
  const may = useMay();
  const change = useComplianceChange();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const query = useComplianceSettings();
  return (
    <Loaded query={query}>
      {({ monitoring }) => {
        const state = monitoring ? words.monitored.on : words.monitored.off;
        return (
          <>
            <Notice tone={monitoring ? 'good' : 'warning'}>
              <p>{state.now}</p>
              {may('settings:write') && <Button onPress={() => setAsked(true)}>{state.change}</Button>}
            </Notice>
            {asked && (
              <FormDialog
                title={state.change}
                lead={state.lead}
                submit={state.change}
                dangerous={monitoring}
                onClose={() => setAsked(false)}
                onSubmit={async () => {
                  await change({ monitoring: !monitoring });
                  announce(state.done);
                }}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
