import type { components } from '@constancia/sdk/generated/signing';
import { Button, Facts, Field, Notice, Table, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useMay } from '../member/member.tsx';
import { useCall, useRecord } from '../member/queries.ts';
import { FileField } from '../parts/file-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useSettingsText } from './text/language.ts';

type Settings = components['schemas']['SigningSettingsView'];
type Certificate = components['schemas']['CertificateView'];

const SEALING = ['signing-settings'];
/** A chain that ends within this time is spoken of. */
const SOON_MS = 30 * 86_400_000;

/** The key that documents are sealed with: the platform's, or the organization's own with its certificates. */
export function SealingSettings() {
  const { words } = useSettingsText();
  const may = useMay();
  const [asked, setAsked] = useState<'set' | 'remove' | null>(null);
  const query = useRecord<Settings>(SEALING, ({ signing }) => signing.GET('/v1/signing-settings'));
  const close = (): void => setAsked(null);
  const isOwn = query.data !== undefined && query.data.kms_key !== null;
  return (
    <>
      <PageHead title={words.sealing.title} lead={words.sealing.lead}>
        {may('settings:write') && query.data !== undefined && (
          <Button look="primary" onPress={() => setAsked('set')}>
            {isOwn ? words.sealing.edit : words.sealing.set}
          </Button>
        )}
        {may('settings:write') && isOwn && (
          <Button onPress={() => setAsked('remove')}>{words.sealing.removeTitle}</Button>
        )}
      </PageHead>
      <Loaded query={query}>
        {(settings) => (
          <>
            <KeyNotice of={settings} />
            <KeyFacts of={settings} />
            {asked === 'set' && <SetDialog of={settings} onClose={close} />}
          </>
        )}
      </Loaded>
      {asked === 'remove' && <RemoveDialog onClose={close} />}
    </>
  );
}

/** What keeps the key from being used, or will. */
function KeyNotice({ of: { kms_key, problem, valid_to } }: { of: Settings }) {
  const { words, clock } = useSettingsText();
  if (kms_key === null) return <Notice tone="news">{words.sealing.platform}</Notice>;
  if (problem !== null)
    return <Notice tone="warning">{words.sealing.problemLead(words.sealing.problems[problem.code])}</Notice>;
  const endsSoon = valid_to !== null && Date.parse(valid_to) - Date.now() < SOON_MS;
  return endsSoon ? <Notice tone="warning">{words.sealing.endsSoon(clock(valid_to))}</Notice> : null;
}

function KeyFacts({ of: settings }: { of: Settings }) {
  const { words, clock } = useSettingsText();
  const { kms_key, key_arn, fingerprint, certificates, updated_at } = settings;
  if (kms_key === null) return null;
  return (
    <>
      <Facts
        pairs={[
          [words.sealing.alias, <code key="alias">{kms_key}</code>],
          [words.sealing.key, key_arn && <code key="arn">{key_arn}</code>],
          [words.sealing.fingerprint, <code key="fingerprint">{fingerprint}</code>],
          [words.sealing.since, updated_at && clock(updated_at)],
        ]}
      />
      <h2>{words.sealing.chain}</h2>
      <Table<Certificate>
        caption={words.sealing.chain}
        rows={certificates}
        keyOf={({ subject, valid_to }) => `${subject} ${valid_to}`}
        columns={[
          { title: words.sealing.subject, of: ({ subject }) => subject },
          { title: words.sealing.issuer, of: ({ issuer }) => issuer },
          { title: words.sealing.validTo, of: ({ valid_to }) => clock(valid_to) },
        ]}
      />
    </>
  );
}

function SetDialog({ of: settings, onClose }: { of: Settings; onClose: () => void }) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.sealing.setTitle}
      lead={words.sealing.setLead}
      submit={text.save}
      faults={words.sealing.faults}
      onClose={onClose}
      onSubmit={async (form) => {
        const file = form.get('certificate_chain');
        const body = {
          kms_key: String(form.get('kms_key') ?? '').trim(),
          certificate_chain: file instanceof File ? await file.text() : '',
        };
        await call(({ signing }) => signing.PUT('/v1/signing-settings', { body }), SEALING);
        announce(words.sealing.changed);
      }}
    >
      <Field
        name="kms_key"
        label={words.sealing.alias}
        hint={words.sealing.aliasHint(settings.kms_key_prefix)}
        maxLength={256}
        defaultValue={settings.kms_key ?? settings.kms_key_prefix}
        required
      />
      <FileField
        name="certificate_chain"
        label={words.sealing.chain}
        hint={words.sealing.chainHint}
        accept=".pem,.crt,.cer,application/x-pem-file"
        required
      />
    </FormDialog>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const { words } = useSettingsText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.sealing.removeTitle}
      lead={words.sealing.removeLead}
      submit={words.remove}
      dangerous
      onClose={onClose}
      onSubmit={async () => {
        await call(({ signing }) => signing.DELETE('/v1/signing-settings'), SEALING);
        announce(words.sealing.removed);
      }}
    />
  );
}
