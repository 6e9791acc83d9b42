import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Dialog, Facts, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useMay } from '../member/member.tsx';
import { useCall, useRecord } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type Draft = components['schemas']['RosDraftView'];

/** For whom may read it: the draft of the report to the UIAF, once a match was confirmed. */
export function RosDraftButton({ of: { id, ros_reference: reference } }: { of: Dossier }) {
  const { words } = useCaseText();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (reference === null || !may('compliance:ros')) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>{words.rosDraft.open}</Button>
      {open && <RosDialog {...{ id, reference }} onClose={() => setOpen(false)} />}
    </>
  );
}

function RosDialog({ id, reference, onClose }: { id: string; reference: string; onClose: () => void }) {
  const { text, words } = useCaseText();
  const query = useRecord(['ros-draft', id, reference], ({ compliance }) =>
    compliance.GET('/v1/cases/{id}/ros-draft', { params: { path: { id } } }),
  );
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const download = (): Promise<void> =>
    run('pdf', async () => {
      const params = { path: { id } };
      const pdf = await call(({ compliance }) =>
        compliance.GET('/v1/cases/{id}/ros-draft/pdf', { params, parseAs: 'blob' }),
      );
      saveFile(`${reference}.pdf`, pdf);
      announce(words.report.downloaded);
    });
  return (
    <Dialog title={`${words.ros} ${reference}`} onClose={onClose}>
      <Notice tone="warning">
        <p>{words.rosDraft.reserved}</p>
      </Notice>
      <Loaded query={query}>{(draft) => <DraftParts of={draft} />}</Loaded>
      {error !== null && <Failure error={error} />}
      <div className="actions">
        <Button busy={busy !== null} onPress={() => void download()}>
          {words.rosDraft.pdf}
        </Button>
        <Button look="primary" onPress={onClose}>
          {text.close}
        </Button>
      </div>
    </Dialog>
  );
}

function DraftParts({ of: draft }: { of: Draft }) {
  const { words, locale, clock } = useCaseText();
  const { subject, detection } = draft;
  const missing: Readonly<Record<string, string>> = words.rosDraft.missing;
  return (
    <>
      <Facts
        pairs={[
          [words.rosDraft.entity, draft.reporting_entity],
          [words.rosDraft.drafted, `${clock(draft.drafted_at)}, ${draft.drafted_by}`],
          [words.subject, subject.full_name],
          [words.reference, subject.reference],
          [words.document, [subject.document_type, subject.document_number].filter(Boolean).join(' ')],
          [words.rosDraft.detected, clock(detection.screened_at)],
          [words.rules, detection.rules_fired.join(', ')],
          [words.hits, draft.matches.map(({ list, name }) => `${name} (${words.lists[list]})`).join('; ')],
          [words.reason, draft.analyst_reason],
        ]}
      />
      <h3>{words.rosDraft.narrative}</h3>
      <blockquote>{locale === 'en' ? draft.narrative.en : draft.narrative['es-CO']}</blockquote>
      <h3>{words.legalBasis}</h3>
      <Sentences of={draft.legal_basis} />
      <h3>{words.rosDraft.toComplete}</h3>
      <Sentences of={draft.to_complete.map((code) => missing[code] ?? code)} />
    </>
  );
}

const Sentences = ({ of }: { of: readonly string[] }) => (
  <ul>
    {of.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
