import { Button, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useListText } from '../text/language.ts';

/** Of the query of the module's settings: the four-eyes screen changes them as well. */
const SETTINGS = ['compliance-settings'];

/** Whether subjects are screened again at all, and for whom may change it, the way to start or stop that. */
export function MonitoringSwitch() {
  const { words } = useListText();
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const query = useRecord(SETTINGS, ({ compliance }) => compliance.GET('/v1/compliance-settings'));
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
                  // As they are now: whatever somebody else changed meanwhile stays.
                  const read = await call(({ compliance }) => compliance.GET('/v1/compliance-settings'));
                  const { retention_days: _, ...current } = read;
                  const body = { ...current, monitoring: !monitoring };
                  await call(({ compliance }) => compliance.PUT('/v1/compliance-settings', { body }), SETTINGS);
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
