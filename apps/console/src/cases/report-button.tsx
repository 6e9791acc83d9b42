import { Button, useAnnounce } from '@constancia/web';
import { useCall } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

/** The case as a PDF, in the reader's language: what the page shows, to be filed. */
export function ReportButton({ of: { id } }: { of: Dossier }) {
  const { words, locale } = useCaseText();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const download = (): Promise<void> =>
    run('report', async () => {
      const params = { path: { id }, header: { 'accept-language': locale } };
      const pdf = await call(({ compliance }) => compliance.GET('/v1/cases/{id}/report', { params, parseAs: 'blob' }));
      saveFile(`${words.report.saved}-${id}.pdf`, pdf);
      announce(words.report.downloaded);
    });
  return (
    <>
      <Button busy={busy !== null} onPress={() => void download()}>
        {words.report.open}
      </Button>
      {error !== null && <Failure error={error} />}
    </>
  );
}
