import { Button, Field } from '@constancia/web';
import { useRef } from 'react';
import { useCall } from '../member/queries.ts';
import { bogotaDay } from '../text/bogota-days.ts';
import { Failure } from '../parts/failure.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import { useMoneyText } from './text/language.ts';

const SHOWN_MONTHS = 24;
const TYPES = { pdf: 'application/pdf', csv: 'text/csv' } as const;

/** The present month and those before it, YYYY-MM. */
function months(): string[] {
  const [year = 0, month = 0] = bogotaDay().split('-').map(Number);
  return Array.from({ length: SHOWN_MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

/** The statement of a month as a file. */
export function StatementsCard() {
  const { words, period, locale } = useMoneyText();
  const call = useCall();
  const form = useRef<HTMLFormElement>(null);
  const { busy, error, run } = useAction();

  const download = (kind: 'pdf' | 'csv'): void => {
    if (form.current === null) return;
    const month = String(new FormData(form.current).get('month'));
    void run(kind, async () => {
      const file = await call(({ platform }) =>
        platform.GET('/v1/billing/statements/{month}', {
          params: { path: { month }, query: { locale } },
          headers: { Accept: TYPES[kind] },
          parseAs: 'blob',
        }),
      );
      saveFile(`${words.statements.file}-${month}.${kind}`, file);
    });
  };

  return (
    <section className="card">
      <h2>{words.statements.title}</h2>
      <p className="help">{words.statements.lead}</p>
      {error !== null && <Failure error={error} problems={words.statements.problems} />}
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          download('pdf');
        }}
      >
        <Field
          name="month"
          label={words.statements.month}
          options={months().map((month) => [month, period(month)] as const)}
        />
        <div className="actions small">
          <Button submit busy={busy === 'pdf'}>
            {words.statements.pdf}
          </Button>
          <Button busy={busy === 'csv'} onPress={() => download('csv')}>
            {words.csv}
          </Button>
        </div>
      </form>
    </section>
  );
}
