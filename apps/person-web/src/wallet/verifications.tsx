import type { WalletVerificationFacts } from '@constancia/contracts/wallet';
import { Facts } from '@constancia/web';
import { useText } from './text/language.ts';

/** The kept verifications, newest first. */
export function Verifications({ verifications }: { verifications: readonly WalletVerificationFacts[] }) {
  const { text, clock, day, country } = useText();
  return (
    <section className="part" aria-labelledby="verifications">
      <h2 id="verifications">{text.mine.verifications}</h2>
      {verifications.map((kept) => (
        <article key={kept.id}>
          <h3>{text.mine.verification(kept.verified_for)}</h3>
          <Facts
            pairs={[
              [text.mine.verifiedAt, clock(kept.verified_at)],
              [text.mine.addedAt, clock(kept.added_at)],
              [text.mine.level, text.levels[kept.level]],
              [text.mine.name, kept.full_name],
              [text.mine.birthDate, kept.birth_date === null ? null : day(kept.birth_date)],
              [text.mine.document, text.documents[kept.document_type] ?? kept.document_type],
              [text.mine.country, country(kept.document_country)],
              [text.mine.number, kept.document_number],
            ]}
          />
        </article>
      ))}
    </section>
  );
}
