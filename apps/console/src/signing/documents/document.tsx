import { Button, Facts, Notice, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { SealingFailed } from '../sealing-failed.tsx';
import { useSigningText } from '../text/language.ts';
import { useEvidenceFacts } from '../use-evidence.ts';
import { DocumentStatus } from './document-status.tsx';
import { useDocument } from './use-document.ts';

const route = getRouteApi('/signing/documents/$id');

/** One document that is sealed from a template. */
export function Document() {
  const { words, number, clock } = useSigningText();
  const { id } = route.useParams();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const query = useDocument(id);
  const evidence = useEvidenceFacts('signatures', id, query.data?.status === 'signed');
  const download = (): Promise<void> =>
    run('download', async () => {
      const params = { path: { id } };
      const file = await call(({ signing }) =>
        signing.GET('/v1/signatures/{id}/document', { params, parseAs: 'blob' }),
      );
      saveFile(`${id}.pdf`, file);
      announce(words.documents.downloaded);
    });
  return (
    <>
      <PageHead title={words.documents.one} of={id}>
        {query.data?.status === 'signed' && (
          <Button look="primary" busy={busy !== null} onPress={() => void download()}>
            {words.documents.download}
          </Button>
        )}
      </PageHead>
      {error !== null && <Failure error={error} />}
      <Loaded query={query}>
        {(document) => (
          <>
            {document.status === 'pending' && <Notice tone="news">{words.documents.pendingLead}</Notice>}
            {document.status === 'failed' && <SealingFailed of={document} />}
            <Facts
              pairs={[
                [words.documents.status, <DocumentStatus key="status" of={document} />],
                [words.documents.reference, document.subject_ref],
                [
                  words.templates.one,
                  <Link key="template" to="/signing/templates/$id" params={{ id: document.template_id }}>
                    <code>{document.template_id}</code>
                  </Link>,
                ],
                [words.documents.requested, clock(document.created_at)],
                [words.documents.sealed, document.signed_at === null ? null : clock(document.signed_at)],
                [words.documents.credits, number(document.credits_debited - document.credits_refunded)],
                [
                  'SHA-256',
                  document.document_sha256 === null ? null : <code key="sha">{document.document_sha256}</code>,
                ],
                ...evidence,
                ['ID', <code key="id">{document.id}</code>],
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
