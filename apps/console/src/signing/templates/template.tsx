import { Button, Facts, Notice, State, useAnnounce } from '@constancia/web';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { SealDialog } from './seal-dialog.tsx';
import { FieldEditor } from '../editor/field-editor.tsx';
import { useFields } from '../editor/use-fields.ts';
import { useSigningText } from '../text/language.ts';
import { Warnings } from '../pdf/warnings.tsx';
import { TEMPLATE_LIMITS, type TemplateRow, templateFieldsOf, templateSample } from './template-fields.ts';
import { useTemplate, useTemplatePdf } from './use-template.ts';

const route = getRouteApi('/signing/templates/$id');

/** One template, with sample data in its fields. */
export function Template() {
  const { words, number, clock } = useSigningText();
  const { id } = route.useParams();
  const may = useMay();
  const [removing, setRemoving] = useState(false);
  const [sealing, setSealing] = useState(false);
  const query = useTemplate(id);
  const pdf = useTemplatePdf(id);
  const template = query.data;
  return (
    <>
      <PageHead title={words.templates.one} of={template?.code}>
        {pdf.data !== undefined && (
          <Button onPress={() => saveFile('template.pdf', pdf.data)}>{words.pdf.download}</Button>
        )}
        {may('signing:write') && template?.archived_at === null && (
          <Button look="primary" onPress={() => setSealing(true)}>
            {words.documents.seal}
          </Button>
        )}
        {may('signing:write') && (
          <Link to="/signing/templates/new" search={{ from: id }} className="button secondary">
            {words.templates.copy}
          </Link>
        )}
        {may('signing:write') && template?.archived_at === null && (
          <Button onPress={() => setRemoving(true)}>{words.templates.remove}</Button>
        )}
      </PageHead>
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Warnings of={loaded.warnings} />
            <Facts
              pairs={[
                [words.name, loaded.name],
                [words.code, <code key="code">{loaded.code}</code>],
                [words.pages, loaded.page_count === null ? null : number(loaded.page_count)],
                [words.created, clock(loaded.created_at)],
                [
                  words.templates.state,
                  loaded.archived_at === null ? (
                    <State kind="good">{words.templates.inUse}</State>
                  ) : (
                    <State kind="wait">{words.templates.archivedSince(clock(loaded.archived_at))}</State>
                  ),
                ],
                ['ID', <code key="id">{loaded.id}</code>],
              ]}
            />
            <h2>{words.editor.previewed}</h2>
            <Loaded query={pdf}>{(file) => <Placeholders of={loaded} file={file} />}</Loaded>
          </>
        )}
      </Loaded>
      {sealing && template !== undefined && <SealDialog template={template} onClose={() => setSealing(false)} />}
      {removing && <RemoveDialog id={id} onClose={() => setRemoving(false)} />}
    </>
  );
}

function Placeholders({ of: { placeholders }, file }: { of: TemplateRow; file: Blob }) {
  const { words } = useSigningText();
  const initial = useMemo(() => templateFieldsOf(placeholders), [placeholders]);
  const fields = useFields(initial);
  return (
    <>
      {placeholders.length === 0 && <Notice tone="news">{words.templates.noFields}</Notice>}
      <FieldEditor
        file={file}
        fields={fields}
        limits={TEMPLATE_LIMITS}
        labelOf={({ key }) => key}
        sampleOf={(field) => templateSample(field, field.key)}
      />
    </>
  );
}

function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { words } = useSigningText();
  const call = useCall();
  const announce = useAnnounce();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.templates.removeTitle}
      lead={words.templates.removeLead}
      submit={words.templates.remove}
      dangerous
      onClose={onClose}
      onSubmit={async () => {
        const params = { path: { id } };
        await call(({ signing }) => signing.DELETE('/v1/templates/{id}', { params }));
        announce(words.templates.removed);
        await navigate({ to: '/signing/templates' });
      }}
    />
  );
}
