import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Notice, State } from '@constancia/web';
import { useState } from 'react';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useMay, useSignedIn } from '../member/member.tsx';
import { LogoCard } from './logo-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { OwnerEmailDialog, TenantDialog } from './tenant-dialogs.tsx';
import { useSettingsText } from './text/language.ts';
import { useTenant } from './use-tenant.ts';

type Tenant = components['schemas']['TenantView'];

/** What the tenant is called and looks like, and how long its data is kept. */
export function TenantSettings() {
  const { words, clock } = useSettingsText();
  const query = useTenant();
  return (
    <>
      <PageHead title={words.tenant.title} lead={words.tenant.lead} />
      <Loaded query={query}>
        {(tenant) => (
          <>
            {tenant.closing !== null && (
              <Notice tone="warning">{words.tenant.closing(clock(tenant.closing.closes_at))}</Notice>
            )}
            <div className="cards">
              <DetailsCard of={tenant} />
              <LogoCard logo={tenant.branding.logo} />
            </div>
          </>
        )}
      </Loaded>
      <RetentionCard />
    </>
  );
}

function DetailsCard({ of: tenant }: { of: Tenant }) {
  const { text, words } = useSettingsText();
  const may = useMay();
  const { member } = useSignedIn().view;
  const [asked, setAsked] = useState<'details' | 'owner' | null>(null);
  const close = (): void => setAsked(null);
  return (
    <section className="card">
      <h2>{words.tenant.about}</h2>
      <Facts
        pairs={[
          [words.tenant.name, tenant.display_name],
          [words.tenant.slug, <code key="slug">{tenant.slug}</code>],
          [words.tenant.environment, text.environments[tenant.environment]],
          [words.tenant.locale, text.languages[tenant.locale]],
          [words.tenant.color, tenant.branding.color && <Colour key="color" of={tenant.branding.color} />],
          [words.tenant.owner, <OwnerEmail key="owner" of={tenant} />],
        ]}
      />
      {may('settings:write') && (
        <div className="actions small">
          <Button onPress={() => setAsked('details')}>{words.tenant.edit}</Button>
          {member.role === 'owner' && <Button onPress={() => setAsked('owner')}>{words.tenant.ownerEdit}</Button>}
        </div>
      )}
      {asked === 'details' && <TenantDialog of={tenant} onClose={close} />}
      {asked === 'owner' && <OwnerEmailDialog of={tenant} onClose={close} />}
    </section>
  );
}

function OwnerEmail({ of: tenant }: { of: Tenant }) {
  const { words } = useSettingsText();
  return (
    <span>
      {tenant.owner_email}{' '}
      {tenant.owner_email_verified_at === null && <State kind="wait">{words.tenant.unverified}</State>}
      {tenant.pending_owner_email !== null && (
        <small>
          <br />
          {words.tenant.pending(tenant.pending_owner_email.email)}
        </small>
      )}
    </span>
  );
}

function Colour({ of: color }: { of: NonNullable<Tenant['branding']['color']> }) {
  const { words } = useSettingsText();
  const [one, ...others] = color.readable_on;
  return (
    <span>
      <span className="swatch" style={{ background: color.value }} aria-hidden="true" />
      <code>{color.value}</code> <small>{words.tenant.readable[others.length > 0 ? 'both' : (one ?? 'neither')]}</small>
    </span>
  );
}
