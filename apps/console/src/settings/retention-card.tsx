import { RETENTION_PERIODS, type RetentionPeriod } from '@constancia/contracts/retention';
import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useMay } from '../member/member.tsx';
import { useSettingsText } from './text/language.ts';
import { useTenantPath } from './use-tenant.ts';

type Retention = components['schemas']['RetentionView'];
type Module = keyof Retention;

interface NamedPeriod extends RetentionPeriod {
  module: Module;
  name: keyof ReturnType<typeof useSettingsText>['words']['retention']['periods'];
}

const KEY = ['retention'];
const PERIODS = Object.entries(RETENTION_PERIODS).flatMap(([module, periods]) =>
  Object.entries(periods).map(([name, period]) => ({ ...period, module, name }) as NamedPeriod),
);

const valueOf = (retention: Retention, { module, name }: NamedPeriod): number | null =>
  (retention[module] as Record<string, number | null>)[name] ?? null;

/** How long each module keeps data. */
export function RetentionCard() {
  const { words, number } = useSettingsText();
  const may = useMay();
  const params = useTenantPath();
  const [edited, setEdited] = useState<Retention | null>(null);
  const query = useRecord(KEY, ({ platform }) => platform.GET('/tenants/{id}/retention', { params }));
  const daysOf = (days: number | null): string => {
    if (days === null) return words.retention.unlimited;
    return days === 0 ? words.retention.atOnce : words.retention.days(number(days));
  };
  return (
    <section className="card">
      <h2>{words.retention.title}</h2>
      <p className="help">{words.retention.lead}</p>
      <Loaded query={query}>
        {(retention) => (
          <>
            <Facts
              pairs={PERIODS.map((period) => [
                words.retention.periods[period.name],
                daysOf(valueOf(retention, period)),
              ])}
            />
            {may('settings:write') && <Button onPress={() => setEdited(retention)}>{words.retention.edit}</Button>}
          </>
        )}
      </Loaded>
      {edited !== null && <RetentionDialog of={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

/** Sends what was changed here on what holds now: what another member changed meanwhile stays. */
function RetentionDialog({ of: retention, onClose }: { of: Retention; onClose: () => void }) {
  const { text, words, number } = useSettingsText();
  const announce = useAnnounce();
  const params = useTenantPath();
  const call = useCall();
  return (
    <FormDialog
      title={words.retention.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const now = await call(({ platform }) => platform.GET('/tenants/{id}/retention', { params }));
        const body: Record<string, Record<string, number | null>> = {};
        for (const period of PERIODS) {
          const entered = String(form.get(period.name));
          const days = entered === '' ? null : Number(entered);
          const isChanged = days !== valueOf(retention, period);
          body[period.module] = {
            ...body[period.module],
            [period.name]: isChanged ? days : valueOf(now, period),
          };
        }
        await call(({ platform }) => platform.PUT('/tenants/{id}/retention', { params, body }), KEY);
        announce(words.retention.changed);
      }}
    >
      {PERIODS.map((period) => (
        <Field
          key={period.name}
          name={period.name}
          type="number"
          min={period.min}
          max={period.max}
          label={words.retention.periods[period.name]}
          hint={words.retention[period.default === null ? 'orEmpty' : 'inDays'](number(period.min), number(period.max))}
          defaultValue={valueOf(retention, period) ?? ''}
          required={period.default !== null}
        />
      ))}
    </FormDialog>
  );
}
