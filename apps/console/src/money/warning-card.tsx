import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Ticks } from '../parts/ticks.tsx';
import { useMay } from '../member/member.tsx';
import { useMoneyText } from './text/language.ts';

type Settings = components['schemas']['BillingSettingsView'];

const KEY = ['billing-settings'];
const MOST_CREDITS = 2_147_483_647;

export const useBillingSettings = () => useRecord(KEY, ({ platform }) => platform.GET('/v1/billing/settings'));

/** From which balance on the tenant is warned. */
export function WarningCard() {
  const { words, number } = useMoneyText();
  const may = useMay();
  const [edited, setEdited] = useState<Settings | null>(null);
  const query = useBillingSettings();
  return (
    <section className="card">
      <h2>{words.warning.title}</h2>
      <p className="help">{words.warning.lead}</p>
      <Loaded query={query}>
        {(settings) => (
          <>
            <Facts
              pairs={[
                [
                  words.warning.threshold,
                  settings.low_balance_threshold === null
                    ? words.warning.off
                    : words.credits(number(settings.low_balance_threshold)),
                ],
                [words.warning.notify, settings.notify ? words.warning.yes : words.warning.no],
              ]}
            />
            {may('settings:write') && <Button onPress={() => setEdited(settings)}>{words.warning.edit}</Button>}
          </>
        )}
      </Loaded>
      {edited !== null && <WarningDialog of={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

function WarningDialog({ of: settings, onClose }: { of: Settings; onClose: () => void }) {
  const { text, words } = useMoneyText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.warning.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const threshold = String(form.get('low_balance_threshold') ?? '');
        const body = {
          low_balance_threshold: threshold === '' ? null : Number(threshold),
          notify: form.has('notify'),
        };
        await call(({ platform }) => platform.PUT('/v1/billing/settings', { body }), KEY);
        announce(words.warning.changed);
      }}
    >
      <Field
        name="low_balance_threshold"
        type="number"
        min={1}
        max={MOST_CREDITS}
        label={words.warning.threshold}
        hint={words.warning.thresholdHint}
        defaultValue={settings.low_balance_threshold ?? ''}
      />
      <Ticks
        name="notify"
        label={words.warning.notify}
        options={[['notify', words.warning.notifyOn]]}
        ticked={settings.notify ? ['notify'] : []}
      />
    </FormDialog>
  );
}
