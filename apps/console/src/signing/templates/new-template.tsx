import { Button, Notice, Tick, useAnnounce } from '@constancia/web';
import type { PageSize } from '@constancia/web/pdf';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { rawBody } from '../../api/raw-body.ts';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { codeOf } from '../pdf/code.ts';
import { FieldEditor } from '../editor/field-editor.tsx';
import { freeKey } from '../editor/placed.ts';
import { useFields } from '../editor/use-fields.ts';
import { PdfField } from '../pdf/pdf-field.tsx';
import { useSigningText } from '../text/language.ts';
import { TextEntry } from '../text-entry.tsx';
import {
  placeholdersHeader,
  shownWithin,
  TEMPLATE_LIMITS,
  type TemplateField,
  templateFieldAt,
  templateFieldsOf,
  type TemplateRow,
  templateSample,
} from './template-fields.ts';
import { TEMPLATES, useTemplate, useTemplatePdf } from './use-template.ts';

const route = getRouteApi('/signing/templates/new');

/** A new template: of a PDF from the device, or of another template's, since templates never change. */
export function NewTemplate() {
  const { text } = useSigningText();
  const { from } = route.useSearch();
  const may = useMay();
  if (!may('signing:write')) return <Notice tone="news">{text.problems.forbidden}</Notice>;
  return from === undefined ? <TemplateForm pdf={null} fields={[]} /> : <CopiedTemplate id={from} />;
}

function CopiedTemplate({ id }: { id: string }) {
  const template = useTemplate(id);
  const pdf = useTemplatePdf(id);
  return (
    <Loaded query={template}>
      {({ placeholders }) => (
        <Loaded query={pdf}>{(file) => <CopyForm file={file} placeholders={placeholders} />}</Loaded>
      )}
    </Loaded>
  );
}

function CopyForm({ file, placeholders }: { file: Blob; placeholders: TemplateRow['placeholders'] }) {
  const fields = useMemo(() => templateFieldsOf(placeholders), [placeholders]);
  return <TemplateForm pdf={file} fields={fields} />;
}

function TemplateForm({ pdf, fields: given }: { pdf: Blob | null; fields: readonly TemplateField[] }) {
  const { words } = useSigningText();
  const call = useCall();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [chosen, setFile] = useState<Blob | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [initial, setInitial] = useState(given);
  const [wrong, setWrong] = useState(false);
  const fields = useFields(initial);
  const file = chosen ?? pdf;
  const unsaved = name !== '' || code !== '' || chosen !== null || fields.all !== initial;
  const leave = useLeaveGuard({ unsaved });
  const onOpen = (sizes: readonly PageSize[]): void => {
    if (fields.all !== initial) return;
    const shown = initial.map((field) => shownWithin(field, sizes[field.page - 1]));
    setInitial(shown);
    fields.replace(shown);
  };

  const save = (): Promise<void> =>
    run('save', async () => {
      const header = placeholdersHeader(fields.all);
      if (file === null) return setFault(words.pdf.none);
      if (name.trim() === '') return setFault(words.noName);
      if (wrong) return setFault(words.editor.correct);
      if (header === null) return setFault(words.templates.tooMany);
      setFault(null);
      const query = { code: code.trim() || codeOf(name), name: name.trim() };
      const { id } = await call(
        ({ signing }) =>
          signing.POST('/v1/templates', {
            params: { query, header: { 'X-Placeholders': header } },
            ...rawBody(file, 'application/pdf'),
          }),
        TEMPLATES,
      );
      leave.letPass();
      announce(words.templates.saved);
      await navigate({ to: '/signing/templates/$id', params: { id } });
    });

  return (
    <>
      <PageHead title={words.templates.create} lead={words.templates.createLead}>
        <Button look="primary" busy={busy !== null} onPress={() => void save()}>
          {words.templates.save}
        </Button>
      </PageHead>
      {fault !== null && <Notice tone="error">{fault}</Notice>}
      {error !== null && <Failure error={error} problems={words.codeProblems} />}
      <div className="card entries">
        <TextEntry label={words.name} help={words.templates.nameHint} value={name} most={200} onText={setName} />
        <TextEntry label={words.code} help={words.codeHint} value={code} most={64} onText={setCode} />
        <PdfField onFile={setFile} />
      </div>
      {file !== null && (
        <FieldEditor
          file={file}
          fields={fields}
          limits={TEMPLATE_LIMITS}
          onOpen={onOpen}
          onWrong={setWrong}
          heightLabel={words.templates.letterSize}
          create={(box) => templateFieldAt(freeKey(words.templates.fieldKey, fields.all), box)}
          labelOf={({ key }) => key}
          sampleOf={(field) => templateSample(field, words.samples.text)}
          details={(field) => (
            <>
              <TextEntry
                label={words.editor.sample}
                help={words.editor.sampleHint}
                value={field.sample}
                most={200}
                onText={(sample) => fields.change(field.id, { sample })}
              />
              <Tick
                id={`unlimited-${field.id}`}
                label={words.templates.unlimited}
                required={false}
                ticked={field.unlimited}
                onTick={(unlimited) => fields.change(field.id, { unlimited })}
              />
              <Tick
                id={`required-${field.id}`}
                label={words.templates.required}
                required={false}
                ticked={field.required}
                onTick={(required) => fields.change(field.id, { required })}
              />
            </>
          )}
        />
      )}
      {leave.dialog}
    </>
  );
}
