import type { ConsentClaimView, ConsentEnd, ConsentState } from '@constancia/contracts/consent';
import { Button, Facts, Notice, Screen, Tick } from '@constancia/web';
import { useState } from 'react';
import type { ConsentLink } from '../api/consent-api.ts';
import { BackToCapture } from './end.tsx';
import { RefuseButtons, type Refusing } from './refuse-buttons.tsx';
import { RequestFacts } from './request-facts.tsx';
import { useText } from './text/language.ts';
import { useLinkRequest } from '../session/use-link-request.ts';

type ClaimName = ConsentClaimView['name'];

interface DecideProps {
  link: ConsentLink;
  state: ConsentState;
  endsAt: number;
  onApproved: (end: ConsentEnd) => void;
  onGone: () => void;
  onRefuse: (how: Refusing) => void;
}

/** What would be given, masked, and the text that is agreed to. What is not required is not ticked. */
export function Decide({ link, state, endsAt, onApproved, onGone, onRefuse }: DecideProps) {
  const { text, locale, country, sentenceOf } = useText();
  const { busy, error, run } = useLinkRequest(onGone);
  const [chosen, setChosen] = useState<readonly ClaimName[]>([]);
  const tenant = state.tenant.display_name;
  const { consent, obstacle } = state;
  const canApprove = consent !== null && obstacle === null;
  const fixed = state.claims.filter((claim) => claim.required || !canApprove);
  const selectable = state.claims.filter((claim) => !claim.required && canApprove);

  const choose = (name: ClaimName, ticked: boolean): void =>
    setChosen(ticked ? [...chosen, name] : chosen.filter((one) => one !== name));
  const approve = (shown: NonNullable<ConsentState['consent']>): Promise<void> =>
    run('approve', async () => {
      const claims = state.claims.filter(({ name, required }) => required || chosen.includes(name));
      const names = claims.map(({ name }) => name);
      onApproved(await link.approve(names, shown));
    });
  const valueOf = ({ name, value_masked: value }: ConsentClaimView): string => {
    if (value === null) return text.decide.absent;
    if (name === 'document_country') return country(value);
    return name === 'document_type' ? (text.documents[value] ?? value) : value;
  };

  return (
    <Screen key="decide" title={(canApprove ? text.decide : text.request).title(tenant)}>
      {obstacle !== null && <Notice tone="warning">{text.decide.obstacles[obstacle]}</Notice>}
      <RequestFacts state={state} endsAt={endsAt} />
      <section className="part" aria-labelledby="given">
        <h2 id="given">{canApprove ? text.decide.always : text.request.claims}</h2>
        <Facts pairs={fixed.map((claim) => [claim.label, valueOf(claim)] as const)} />
        {selectable.length > 0 && (
          <fieldset>
            <legend>{text.decide.choose}</legend>
            {selectable.map((claim) => (
              <Tick
                key={claim.name}
                id={`claim-${claim.name}`}
                label={`${claim.label}: ${valueOf(claim)}`}
                ticked={chosen.includes(claim.name)}
                onTick={(ticked) => choose(claim.name, ticked)}
                required={false}
              />
            ))}
          </fieldset>
        )}
        {canApprove && <p className="help">{text.decide.keeps(tenant)}</p>}
      </section>
      {state.verification !== null && <Verification tenant={tenant} verification={state.verification} />}
      <div className="part">
        {consent !== null && (
          <>
            <h2 id="agreed">{text.decide.text}</h2>
            <div className="consent-text" role="region" tabIndex={0} aria-labelledby="agreed" lang={consent.locale}>
              {consent.locale !== locale && (
                <div lang={locale}>
                  <Notice tone="news">{text.decide.otherLanguage}</Notice>
                </div>
              )}
              <p>{consent.text}</p>
            </div>
          </>
        )}
        {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
        <div className="actions">
          {consent !== null && (
            <Button look="primary" busy={busy === 'approve'} onPress={() => void approve(consent)}>
              {text.decide.approve}
            </Button>
          )}
          {obstacle !== null && <BackToCapture />}
          <RefuseButtons onRefuse={onRefuse} />
        </div>
      </div>
    </Screen>
  );
}

interface VerificationProps {
  tenant: string;
  verification: NonNullable<ConsentState['verification']>;
}

function Verification({ tenant, verification: { level, verified_at, verified_for } }: VerificationProps) {
  const { text, day } = useText();
  return (
    <section className="part" aria-labelledby="verification">
      <h2 id="verification">{text.decide.yours}</h2>
      <Facts
        pairs={[
          [text.decide.verification, text.levels[level]],
          [text.decide.verifiedAt, day(verified_at)],
          [text.decide.verifiedFor, verified_for],
        ]}
      />
      <p className="help">{text.decide.onlyYou(tenant)}</p>
    </section>
  );
}
