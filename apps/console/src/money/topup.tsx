import { Button, Facts, useAnnounce } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { useCall, useRecord } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useAction } from '../parts/use-action.ts';
import { useMay } from '../member/member.tsx';
import { useMoneyText } from './text/language.ts';
import { type TopupRow, TopupStatus } from './topup-parts.tsx';

const route = getRouteApi('/money/topups/$id');
/** While it is to be paid it is asked for again, at most so often: a page that nobody uses lets its session end. */
const WATCH = { everyMs: 5_000, times: 60 };

/** Whether its checkout can still be opened. */
const isPayable = ({ status, expires_at }: TopupRow): boolean =>
  (status === 'pending' || status === 'rejected') && Date.parse(expires_at) > Date.now();

/** One top-up: where to pay it, and what became of it. */
export function Topup() {
  const { words } = useMoneyText();
  const { id } = route.useParams();
  const announce = useAnnounce();
  const may = useMay();
  const call = useCall();
  const { busy, error, run } = useAction();
  const query = useRecord(
    ['topups', id],
    ({ platform }) => platform.GET('/v1/billing/topups/{id}', { params: { path: { id } } }),
    { ...WATCH, while: ({ status }) => status === 'pending' },
  );

  const refresh = async (): Promise<void> => {
    const params = { path: { id } };
    const { status } = await call(
      ({ platform }) => platform.POST('/v1/billing/topups/{id}/refresh', { params }),
      ['topups'],
      ['balance'],
    );
    announce(words.topups.refreshed(words.topups.statuses[status]));
  };

  return (
    <>
      <PageHead title={words.topups.one} of={id}>
        {may('billing:topup') && query.data !== undefined && (
          <Button busy={busy !== null} onPress={() => void run('refresh', refresh)}>
            {words.topups.refresh}
          </Button>
        )}
      </PageHead>
      {error !== null && <Failure error={error} />}
      <Loaded query={query}>{(topup) => <Details of={topup} />}</Loaded>
    </>
  );
}

function Details({ of: topup }: { of: TopupRow }) {
  const { words, number, pesos, period, clock } = useMoneyText();
  const may = useMay();
  return (
    <>
      <p>
        <TopupStatus of={topup} /> {words.topups.meanings[topup.status]}
      </p>
      {may('billing:topup') && isPayable(topup) && (
        <section className="card">
          <p>{words.topups.payLead}</p>
          <div className="actions small">
            <a className="button primary" href={topup.init_point} target="_blank" rel="noopener noreferrer">
              {words.topups.goPay} <span className="unseen">{words.topups.newTab}</span>
            </a>
          </div>
          <p className="help">
            {words.topups.until} {clock(topup.expires_at)}
          </p>
        </section>
      )}
      <Facts
        pairs={[
          [words.topups.pays, pesos(topup.amount_cop)],
          [words.topups.gets, words.credits(number(topup.amount_credits))],
          ...(topup.bundle === null
            ? []
            : [
                [words.topups.bundle, topup.bundle] as const,
                [words.topups.bonus, words.credits(number(topup.bonus_credits))] as const,
              ]),
          [words.topups.rate, words.topups.rateOf(number(Number(topup.trm_used)), period(topup.trm_valid_for))],
          [words.topups.created, clock(topup.created_at)],
          [words.topups.creditedAt, topup.credited_at && clock(topup.credited_at)],
          [words.topups.credited, words.credits(number(topup.credited_credits))],
          ...(topup.external_ref === null ? [] : [[words.topups.reference, topup.external_ref] as const]),
          ['ID', <code key="id">{topup.id}</code>],
        ]}
      />
    </>
  );
}
