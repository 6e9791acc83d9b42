import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DecisionState } from '../matches/decision-state.tsx';
import { ListFreshness } from '../matches/list-freshness.tsx';
import { useMatchText } from '../matches/text/language.ts';
import { useCall, useRecord } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useAction } from '../parts/use-action.ts';
import { Outcome } from './outcome.tsx';
import { SCREENINGS } from './query-keys.ts';
import { SubjectFacts } from './subject-facts.tsx';
import { useScreeningText } from './text/language.ts';

type Detail = components['schemas']['DatedScreeningView'];
type Replay = components['schemas']['ReplayView'];

const route = getRouteApi('/screenings/$id');

/** A screening: who was screened, what was found and by which rules. */
export function Screening() {
  const { words } = useScreeningText();
  const { words: matches } = useMatchText();
  const { id } = route.useParams();
  const query = useRecord([...SCREENINGS, id], ({ compliance }) =>
    compliance.GET('/v1/screenings/{id}', { params: { path: { id } } }),
  );
  const caseId = query.data?.case_id ?? null;
  return (
    <>
      <PageHead title={words.one} of={id}>
        {caseId !== null && (
          <Link to="/cases/$id" params={{ id: caseId }} className="button primary">
            {words.openCase}
          </Link>
        )}
        <Recompute id={id} />
      </PageHead>
      <Loaded query={query}>
        {(screening) => (
          <div className="case">
            <ScreenedSubject of={screening} />
            <div>
              <Outcome of={screening} />
              <ListFreshness title={matches.freshness.screened} lists={screening.lists_when_screened} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function ScreenedSubject({ of: screening }: { of: Detail }) {
  const { words, clock, number } = useScreeningText();
  return (
    <SubjectFacts
      payload={screening.payload}
      before={[
        [words.decision, <DecisionState of={screening.decision} />],
        [words.points, number(screening.score)],
        [words.reference, screening.subject_ref],
        [words.subjectType, words.subjectTypes[screening.subject_type]],
        [words.trigger, words.triggers[screening.trigger]],
        [words.validation, words.version(screening.validation_code, screening.validation_version)],
        [words.at, clock(screening.created_at)],
        [words.credits, number(screening.credits_debited)],
      ]}
    />
  );
}

/** Computes it again from what is stored, and says whether the result is the same to the byte. */
function Recompute({ id }: { id: string }) {
  const { words } = useScreeningText();
  const call = useCall();
  const { busy, error, run } = useAction();
  const [replay, setReplay] = useState<Replay | null>(null);
  const recompute = (): Promise<void> =>
    run('recompute', async () => {
      const params = { path: { id } };
      setReplay(await call(({ compliance }) => compliance.GET('/v1/screenings/{id}/replay', { params })));
    });
  return (
    <>
      <Button busy={busy !== null} onPress={() => void recompute()}>
        {words.recompute}
      </Button>
      {error !== null && <Failure error={error} />}
      {replay !== null && (
        <Notice tone={replay.identical === true ? 'good' : 'warning'}>
          <p>
            {replay.unavailable === null
              ? words.recomputed[replay.identical === true ? 'same' : 'other']
              : words.notRecomputed[replay.unavailable.code]}
          </p>
        </Notice>
      )}
    </>
  );
}
