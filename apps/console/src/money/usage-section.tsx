import type { components } from '@constancia/sdk/generated/platform';
import { Button } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { useRecords } from '../member/queries.ts';
import { bogotaDay } from '../text/bogota-days.ts';
import { csvOf } from '../parts/csv/csv.ts';
import { Filter } from '../parts/filter.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useMoneyText } from './text/language.ts';
import { UsageChart } from './usage-chart.tsx';

type Line = components['schemas']['UsageLineView'];

const route = getRouteApi('/money');

/** What was used, by day or month, module and operation: as a picture, a table and a file. */
export function UsageSection() {
  const { words, number, period: periodName } = useMoneyText();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = bogotaDay();
  const to = search.to ?? today;
  const from = search.from ?? `${to.slice(0, 7)}-01`;
  const by = search.by === 'month' ? 'month' : 'day';
  const query = useRecords<Line>(['usage', from, to, by], async ({ platform }) => {
    const { data, ...rest } = await platform.GET('/v1/billing/usage', { params: { query: { from, to, by } } });
    const report = data as components['schemas']['UsageReport'] | undefined; // CSV only where it is asked for
    // The whole answer is one page; the newest period comes first, as in every list.
    return { ...rest, ...(report && { data: { data: report.data.toReversed(), next_cursor: null } }) };
  });
  const rows = query.data ?? [];
  const download = (): void => {
    const head = ['period', 'module', 'operation', 'count', 'credits', 'refunded'];
    const cells = rows.map((row) => [row.period, row.module, row.operation, row.count, row.credits, row.refunded]);
    saveFile(`${words.usage.file}-${from}-${to}.csv`, csvOf(head, cells));
  };

  return (
    <section>
      <div className="page-head">
        <h2>{words.usage.title}</h2>
        <div className="actions small">{rows.length > 0 && <Button onPress={download}>{words.csv}</Button>}</div>
      </div>
      <Filter
        values={{ from, to, by }}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          { name: 'from', type: 'date', label: words.from, max: today },
          { name: 'to', type: 'date', label: words.to, max: today },
          { name: 'by', label: words.usage.by, options: Object.entries(words.usage.periods) },
        ]}
      />
      {rows.length > 0 && <UsageChart lines={rows} {...{ from, to, by }} />}
      <RecordTable
        caption={words.usage.title}
        query={query}
        keyOf={({ period, module, operation }) => `${period} ${module} ${operation}`}
        empty={words.usage.empty}
        columns={[
          { title: words.usage.period, of: ({ period }) => periodName(period) },
          { title: words.usage.module, of: ({ module }) => words.modules[module] ?? module },
          { title: words.usage.operation, of: ({ operation }) => words.operations[operation] ?? operation },
          { title: words.usage.count, of: ({ count }) => number(count) },
          { title: words.usage.credits, of: ({ credits }) => number(credits) },
          { title: words.usage.refunded, of: ({ refunded }) => number(refunded) },
        ]}
      />
    </section>
  );
}
