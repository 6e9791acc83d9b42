import { PageHead } from '../parts/page-head.tsx';
import { useMay } from '../member/member.tsx';
import { CasesCard } from './cases-card.tsx';
import { CreditsCard } from './credits-card.tsx';
import { EnvelopesCard } from './envelopes-card.tsx';
import { ReviewsCard } from './reviews-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { useHomeText } from './text/language.ts';
import { WebhooksCard } from './webhooks-card.tsx';

/** What needs attention, each with the way to the page where it is resolved. */
export function Home() {
  const { words } = useHomeText();
  const may = useMay();
  const cards = [
    may('compliance:read') && <CasesCard key="cases" />,
    may('compliance:rules') && <RulesCard key="rules" />,
    may('identity:review') && <ReviewsCard key="reviews" />,
    may('signing:read') && <EnvelopesCard key="envelopes" />,
    may('billing:read') && <CreditsCard key="credits" />,
    may('webhooks:read') && <WebhooksCard key="webhooks" />,
  ].filter(Boolean);
  return (
    <>
      <PageHead title={words.title} />
      {cards.length === 0 ? <p className="empty">{words.nothing}</p> : <div className="cards">{cards}</div>}
    </>
  );
}
