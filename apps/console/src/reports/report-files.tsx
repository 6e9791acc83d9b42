import { Button, useAnnounce } from '@constancia/web';
import type { Apis } from '../api/apis.ts';
import { type Call, useCall } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import { useReportText } from './text/language.ts';

const FILES = ['pdf', 'cases', 'screenings'] as const;
type File = (typeof FILES)[number];

interface Period {
  from: string;
  to: string;
}

/** The report as a PDF in the reader's language, and its rows as CSV for Excel. */
export function ReportFiles(period: Period) {
  const { words, locale } = useReportText();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const download = (file: File): Promise<void> =>
    run(file, async () => {
      const content = await call(({ compliance }) => requestOf(compliance, file, period, locale));
      saveFile(`${words.files[file].name}-${period.from}-${period.to}.${file === 'pdf' ? 'pdf' : 'csv'}`, content);
      announce(words.downloaded);
    });
  return (
    <>
      {FILES.map((file) => (
        <Button key={file} busy={busy === file} onPress={() => void download(file)}>
          {words.files[file].open}
        </Button>
      ))}
      {error !== null && <Failure error={error} problems={words.problems} />}
    </>
  );
}

function requestOf(compliance: Apis['compliance'], file: File, period: Period, locale: string): Call<Blob> {
  if (file === 'pdf') {
    const params = { query: period, header: { 'accept-language': locale } };
    return compliance.GET('/v1/reports/compliance/pdf', { params, parseAs: 'blob' });
  }
  const params = { query: { ...period, excel: true } };
  if (file === 'cases') return compliance.GET('/v1/reports/compliance/cases', { params, parseAs: 'blob' });
  return compliance.GET('/v1/reports/compliance/screenings', { params, parseAs: 'blob' });
}
