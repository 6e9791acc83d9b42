import { Facts } from '@constancia/web';
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
              [words.credits.available, <strong className="figure">{number(available)}</strong>],
              [words.credits.held, number(held)],
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
