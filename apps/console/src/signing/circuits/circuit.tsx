import { Button, Facts, Table, useAnnounce } from '@constancia/web';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Tagged } from '../../api/apis.ts';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { isPdf } from '../pdf/code.ts';
import { FieldEditor } from '../editor/field-editor.tsx';
import { useFields } from '../editor/use-fields.ts';
import { PdfField } from '../pdf/pdf-field.tsx';
import { useSigningText } from '../text/language.ts';
import { Warnings } from '../pdf/warnings.tsx';
import { CIRCUIT_LIMITS, circuitFieldsOf, type CircuitRow, circuitSample } from './circuit-fields.ts';
import { CircuitStatus } from './circuit-status.tsx';
import { DraftEditor } from './draft-editor.tsx';
import { CIRCUITS, useBasePdf, useCircuit } from './use-circuit.ts';
import { useUpload } from './use-upload.ts';

const route = getRouteApi('/signing/circuits/$id');

/** One version of a circuit: a draft is edited here, what is published is shown and sent. */
export function Circuit() {
  const { words, number, clock } = useSigningText();
  const { id } = route.useParams();
  const may = useMay();
  const query = useCircuit(id);
  const mayWrite = may('signing:write');
  const circuit = query.data;
  const editable = mayWrite && circuit?.status === 'draft';
  const { busy, error, run } = useAction();
  const [uploading, setUploading] = useState(false);
  const clone = useClone(id);
  return (
    <>
      <PageHead title={words.circuits.one} of={circuit?.code}>
        {mayWrite && circuit?.status === 'published' && (
          <Link to="/signing/send" search={{ circuit: id }} className="button primary">
            {words.circuits.send}
          </Link>
        )}
        {editable && (
          <Button onPress={() => setUploading(true)}>
            {circuit.base_pdf_sha256 === null ? words.circuits.uploadFirst : words.circuits.upload}
          </Button>
        )}
        {mayWrite && circuit !== undefined && circuit.status !== 'draft' && (
          <Button busy={busy !== null} onPress={() => void run('clone', clone)}>
            {words.circuits.clone}
          </Button>
        )}
      </PageHead>
      {error !== null && <Failure error={error} />}
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Warnings of={loaded.warnings} />
            <Facts
              pairs={[
                [words.name, loaded.name],
                [words.circuits.status, <CircuitStatus key="status" of={loaded} />],
                [words.circuits.version, number(loaded.version)],
                [words.code, <code key="code">{loaded.code}</code>],
                [words.pages, loaded.page_count === null ? null : number(loaded.page_count)],
                [words.created, clock(loaded.created_at)],
                [words.circuits.published, loaded.published_at === null ? null : clock(loaded.published_at)],
              ]}
            />
            <Definition key={id} of={loaded} mayWrite={mayWrite} />
          </>
        )}
      </Loaded>
      {uploading && <UploadDialog id={id} onClose={() => setUploading(false)} />}
    </>
  );
}

/** What is edited stays in the editor until its reader leaves it, also when somebody else publishes the draft meanwhile. */
function Definition({ of: circuit, mayWrite }: { of: Tagged<CircuitRow>; mayWrite: boolean }) {
  const [editing, setEditing] = useState(mayWrite && circuit.status === 'draft');
  if (!editing) return <Finished of={circuit} />;
  return <DraftEditor circuit={circuit} onPublished={() => setEditing(false)} />;
}

function useClone(id: string): () => Promise<void> {
  const { words } = useSigningText();
  const call = useCall();
  const navigate = useNavigate();
  const announce = useAnnounce();
  return async () => {
    const params = { path: { id } };
    const draft = await call(({ signing }) => signing.POST('/v1/circuits/{id}/clone', { params }), CIRCUITS);
    await navigate({ to: '/signing/circuits/$id', params: { id: draft.id } });
    announce(words.circuits.cloned);
  };
}

function UploadDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { words } = useSigningText();
  const announce = useAnnounce();
  const upload = useUpload();
  return (
    <FormDialog
      title={words.circuits.upload}
      submit={words.circuits.upload}
      onClose={onClose}
      onSubmit={async (form) => {
        const pdf = form.get('pdf');
        if (!isPdf(pdf)) return 'open';
        await upload(id, pdf);
        announce(words.circuits.uploaded);
        return undefined;
      }}
    >
      <PdfField />
    </FormDialog>
  );
}

/** What does not change any more. */
function Finished({ of: circuit }: { of: CircuitRow }) {
  const { words, number, signerRole } = useSigningText();
  return (
    <>
      <h2>{words.circuits.signers}</h2>
      <Table
        caption={words.circuits.signers}
        rows={circuit.signers}
        keyOf={({ role }) => role}
        columns={[
          {
            title: words.circuits.role,
            of: ({ role }) => (
              <span>
                {signerRole(role)} <code>{role}</code>
              </span>
            ),
          },
          { title: words.circuits.order, of: ({ order }) => number(order) },
          {
            title: words.circuits.auth,
            of: ({ auth }) => auth.map((method) => words.circuits.auths[method]).join(' · '),
          },
        ]}
      />
      {circuit.base_pdf_sha256 !== null && <FinishedDocument of={circuit} sha256={circuit.base_pdf_sha256} />}
    </>
  );
}

function FinishedDocument({ of: circuit, sha256 }: { of: CircuitRow; sha256: string }) {
  const { words, samples } = useSigningText();
  const pdf = useBasePdf(circuit.id, sha256);
  const initial = useMemo(() => circuitFieldsOf(circuit), [circuit]);
  const fields = useFields(initial);
  return (
    <>
      <h2>{words.editor.previewed}</h2>
      <Loaded query={pdf}>
        {(file) => (
          <FieldEditor
            file={file}
            fields={fields}
            limits={CIRCUIT_LIMITS}
            labelOf={({ key }) => key}
            sampleOf={(field) => circuitSample(field, samples)}
          />
        )}
      </Loaded>
    </>
  );
}
