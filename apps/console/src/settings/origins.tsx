import { Button, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { Apis } from '../api/apis.ts';
import { type Call, useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useMay } from '../member/member.tsx';
import { useSettingsText } from './text/language.ts';
import { useTenantPath } from './use-tenant.ts';

interface Registered {
  origins: string[];
}

/** Which sites of the tenant may show pages, and which get payers back. */
export function Origins() {
  const { words } = useSettingsText();
  const params = useTenantPath();
  const { embed, embedLead, editEmbed, back, backLead, editBack } = words.origins;
  return (
    <>
      <PageHead title={words.origins.title} lead={words.origins.lead} />
      <div className="cards">
        <OriginsCard
          name="embed-origins"
          title={embed}
          lead={embedLead}
          edit={editEmbed}
          load={({ platform }) => platform.GET('/tenants/{id}/embed-origins', { params })}
          replace={({ platform }, body) => platform.PUT('/tenants/{id}/embed-origins', { params, body })}
        />
        <OriginsCard
          name="return-origins"
          title={back}
          lead={backLead}
          edit={editBack}
          load={({ platform }) => platform.GET('/v1/billing/return-origins')}
          replace={({ platform }, body) => platform.PUT('/v1/billing/return-origins', { body })}
        />
      </div>
    </>
  );
}

interface OriginsCardProps {
  name: string;
  title: string;
  lead: string;
  edit: string;
  load: (apis: Apis) => Call<Registered>;
  replace: (apis: Apis, body: Registered) => Call<Registered>;
}

function OriginsCard({ name, title, lead, edit, load, replace }: OriginsCardProps) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const may = useMay();
  const call = useCall();
  const [edited, setEdited] = useState<readonly string[] | null>(null);
  const query = useRecord([name], load);
  return (
    <section className="card">
      <h2>{title}</h2>
      <p className="help">{lead}</p>
      <Loaded query={query}>
        {({ origins }) => (
          <>
            {origins.length === 0 && <p>{words.origins.none}</p>}
            <ul className="links">
              {origins.map((origin) => (
                <li key={origin}>
                  <code>{origin}</code>
                </li>
              ))}
            </ul>
            {may('settings:write') && <Button onPress={() => setEdited(origins)}>{edit}</Button>}
          </>
        )}
      </Loaded>
      {edited !== null && (
        <FormDialog
          title={edit}
          submit={text.save}
          onClose={() => setEdited(null)}
          onSubmit={async (form) => {
            const origins = String(form.get('origins')).split(/\s+/).filter(Boolean);
            await call((apis) => replace(apis, { origins }), [name]);
            announce(words.origins.changed);
          }}
        >
          <Field
            name="origins"
            label={words.origins.origins}
            hint={words.origins.originsHint}
            lines={5}
            defaultValue={edited.join('\n')}
          />
        </FormDialog>
      )}
    </section>
  );
}
