import { FieldFaults } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { bogotaDay } from '../text/bogota-days.ts';
import { Failure } from '../parts/failure.tsx';
import { Filter } from '../parts/filter.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { periodFault } from './period-fault.ts';
import { ReportFiles } from './report-files.tsx';
import { CaseTotals, ScreeningTotals } from './totals.tsx';
import { useReportText } from './text/language.ts';

const route = getRouteApi('/reports');

/** What a compliance officer reports of a period: the totals on the page, the rows and the PDF as files. */
export function Reports() {
  const { words, clock } = useReportText();
  const { from: asked, to: until } = route.useSearch();
  const navigate = route.useNavigate();
  const today = bogotaDay();
  const to = until ?? today;
  const from = asked ?? `${to.slice(0, 7)}-01`;
  const wrong = periodFault({ from, to }, today);
  const query = useRecord(
    ['compliance-report', from, to],
    ({ compliance }) => compliance.GET('/v1/reports/compliance', { params: { query: { from, to } } }),
    'once', // of the moment when it was made, which it says
    wrong === null,
  );
  const { data: report, error, refetch } = query;
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {wrong === null && <ReportFiles {...{ from, to }} />}
      </PageHead>
      <FieldFaults value={wrong === null ? {} : { [wrong.field]: words.periodFaults[wrong.fault] }}>
        <Filter
          values={{ from, to }}
          onValues={(values) => void navigate({ search: values })}
          fields={[
            { name: 'from', type: 'date', label: words.from, max: today },
            { name: 'to', type: 'date', label: words.to, max: today },
          ]}
        />
      </FieldFaults>
      {error !== null && <Failure error={error} problems={words.problems} onAgain={() => void refetch()} />}
      {report === undefined && error === null && wrong === null && <Loading />}
      {report !== undefined && (
        <>
          <p className="help">
            {words.madeAt(clock(report.made_at))} · {words.zones}
          </p>
          <CaseTotals of={report.cases} />
          <ScreeningTotals of={report.screenings} />
        </>
      )}
    </>
  );
}
