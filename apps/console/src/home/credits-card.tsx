import { Facts } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

/** What can be spent. */
export function CreditsCard() {
  const { words, number } = useHomeText();
  const query = useRecord(['balance'], ({ platform }) => platform.GET('/v1/billing/balance'));
  return (
    <section className="card">
      <h2>{words.credits.title}</h2>
      <Loaded query={query}>
        {({ available, held }) => (
          <Facts
            pairs={[
              [
                words.credits.available,
                <Link to="/money" className="figure" aria-label={`${words.credits.available}: ${number(available)}`}>
                  {number(available)}
                </Link>,
              ],
              [
                words.credits.held,
                <Link to="/money/ledger" aria-label={`${words.credits.held}: ${number(held)}`}>
                  {number(held)}
                </Link>,
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
