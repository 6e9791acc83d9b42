import { Facts, Notice, State } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StatementsCard } from './statements-card.tsx';
import { useMoneyText } from './text/language.ts';
import { TopUpButton } from './topup-dialog.tsx';
import { UsageSection } from './usage-section.tsx';
import { useBillingSettings, WarningCard } from './warning-card.tsx';

/** What can be spent, what was used, and what is warned of. */
export function Balance() {
  const { words } = useMoneyText();
  return (
    <>
      <PageHead title={words.balance.title} lead={words.balance.lead}>
        <TopUpButton />
      </PageHead>
      <div className="cards">
        <BalanceCard />
        <WarningCard />
        <StatementsCard />
      </div>
      <UsageSection />
    </>
  );
}

function BalanceCard() {
  const { words, number } = useMoneyText();
  const query = useRecord(['balance'], ({ platform }) => platform.GET('/v1/billing/balance'));
  const settings = useBillingSettings();
  return (
    <section className="card">
      <h2>{words.balance.card}</h2>
      <Loaded query={query}>
        {({ available, held }) => (
          <>
            {available < 0 && <Notice tone="warning">{words.balance.negative}</Notice>}
            <Facts
              pairs={[
                [
                  words.balance.available,
                  <span key="available">
                    <strong className="figure">{number(available)}</strong>{' '}
                    {settings.data?.balance_is_low === true && <State kind="wait">{words.balance.low}</State>}
                  </span>,
                ],
                [words.balance.held, number(held)],
              ]}
            />
            <Link to="/money/ledger">{words.balance.ledger}</Link>
          </>
        )}
      </Loaded>
    </section>
  );
}
