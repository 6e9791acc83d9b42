import { Button, Facts, fileName, Notice, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { SealingFailed } from '../sealing-failed.tsx';
import { useSigningText } from '../text/language.ts';
import { useEvidenceFacts } from '../use-evidence.ts';
import { type Asked, EnvelopeDialog } from './envelope-dialog.tsx';
import { EnvelopeStatus } from './envelope-status.tsx';
import { Signers } from './signers.tsx';
import { Trail } from './trail.tsx';
import { type EnvelopeRow, isOpen, useEnvelope, useEnvelopeCall } from './use-envelope.ts';

const route = getRouteApi('/signing/envelopes/$id');

/** One envelope: how far its signers are, everything that happened, and what can be done. */
export function Envelope() {
  const { words } = useSigningText();
  const { id } = route.useParams();
  const may = useMay();
  const call = useCall();
  const change = useEnvelopeCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useEnvelope(id);
  const envelope = query.data;
  const stopReminders = (): Promise<void> =>
    run('reminders', async () => {
      await change((signing) => signing.DELETE('/v1/envelopes/{id}/reminders', { params: { path: { id } } }));
      announce(words.envelopes.remindersStopped);
    });
  const download = (): Promise<void> =>
    run('download', async () => {
      const params = { path: { id } };
      const file = await call(({ signing }) => signing.GET('/v1/envelopes/{id}/document', { params, parseAs: 'blob' }));
      saveFile(fileName(envelope?.subject ?? id), file);
      announce(words.envelopes.downloaded);
    });
  return (
    <>
      <PageHead title={words.envelopes.one} of={id}>
        {envelope?.status === 'sealed' && (
          <Button look="primary" busy={busy !== null} onPress={() => void download()}>
            {words.envelopes.download}
          </Button>
        )}
        {envelope !== undefined && envelope.reminders !== null && isOpen(envelope) && may('signing:write') && (
          <Button busy={busy !== null} onPress={() => void stopReminders()}>
            {words.envelopes.stopReminders}
          </Button>
        )}
        {envelope !== undefined && isOpen(envelope) && may('signing:write') && (
          <Button onPress={() => setAsked({ what: 'void' })}>{words.envelopes.void}</Button>
        )}
      </PageHead>
      {error !== null && <Failure error={error} />}
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Outcome of={loaded} />
            <EnvelopeFacts of={loaded} />
            <h2>{words.envelopes.signers}</h2>
            <Signers of={loaded} onAsk={setAsked} />
            <Trail of={loaded} />
            {asked !== null && <EnvelopeDialog of={loaded} asked={asked} onClose={() => setAsked(null)} />}
          </>
        )}
      </Loaded>
    </>
  );
}

/** How it ended, or what it waits for, before everything else. */
function Outcome({ of: envelope }: { of: EnvelopeRow }) {
  const { words, signerRole } = useSigningText();
  const { status, void_reason } = envelope;
  const declined = envelope.signers.find((signer) => signer.status === 'declined');
  if (status === 'sealed') return <Notice tone="good">{words.envelopes.sealedLead}</Notice>;
  if (status === 'sealing') return <Sealing of={envelope} />;
  if (status === 'voided' || status === 'declined') {
    const reason = status === 'voided' ? void_reason : declined?.decline_reason;
    return (
      <Notice tone="warning">
        <p>
          {status === 'voided'
            ? words.envelopes.voidedLead
            : words.envelopes.declinedLead(signerRole(declined?.role ?? ''))}
        </p>
        {typeof reason === 'string' && <blockquote>{reason}</blockquote>}
      </Notice>
    );
  }
  if (status === 'expired') return <Notice tone="warning">{words.envelopes.expiredLead}</Notice>;
  return status === 'failed' ? <SealingFailed of={envelope} /> : null;
}

function Sealing({ of: { last_setback } }: { of: EnvelopeRow }) {
  const { words } = useSigningText();
  if (last_setback !== 'tenant_key') return <Notice tone="news">{words.envelopes.sealingLead}</Notice>;
  return (
    <Notice tone="warning">
      {words.envelopes.keyLead} <Link to="/settings/sealing">{words.envelopes.keyLink}</Link>
    </Notice>
  );
}

function EnvelopeFacts({ of: envelope }: { of: EnvelopeRow }) {
  const { words, clock, number } = useSigningText();
  const evidence = useEvidenceFacts('envelopes', envelope.id, envelope.status === 'sealed');
  const {
    circuit_id: id,
    verify_url,
    document_sha256,
    ended_at,
    message,
    external_ref,
    metadata,
    reminders,
  } = envelope;
  const remindersSaid =
    reminders &&
    words.envelopes.remindersOf(number(reminders.after_days), number(reminders.every_days), number(reminders.most));
  return (
    <Facts
      pairs={[
        [words.envelopes.subject, envelope.subject ?? words.envelopes.untitled],
        [words.envelopes.status, <EnvelopeStatus key="status" of={envelope} />],
        ...(message === null ? [] : [[words.envelopes.message, message] as const]),
        [
          words.envelopes.circuit,
          <Link key="circuit" to="/signing/circuits/$id" params={{ id }}>
            {words.envelopes.seeCircuit}
          </Link>,
        ],
        [words.envelopes.sentAt, clock(envelope.created_at)],
        [words.envelopes.expires, clock(envelope.expires_at)],
        ...(remindersSaid === null ? [] : [[words.envelopes.reminders, remindersSaid] as const]),
        ...(external_ref === null ? [] : [[words.envelopes.reference, external_ref] as const]),
        ...Object.entries(metadata),
        ...(ended_at === null ? [] : [[words.envelopes.ended, clock(ended_at)] as const]),
        [
          words.envelopes.verify,
          <a key="verify" href={verify_url} target="_blank" rel="noreferrer">
            {words.envelopes.verifyLink}
          </a>,
        ],
        ...(document_sha256 === null ? [] : [['SHA-256', <code key="sha">{document_sha256}</code>] as const]),
        ...evidence,
        ['ID', <code key="id">{envelope.id}</code>],
      ]}
    />
  );
}
