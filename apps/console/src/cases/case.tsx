import { Facts, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../member/member.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { FiredRules } from '../matches/fired-rules.tsx';
import { Hits } from '../matches/hits.tsx';
import { ListFreshness } from '../matches/list-freshness.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Attachments } from './attachments.tsx';
import { CaseActions } from './case-actions.tsx';
import { CaseDue, CasePriority, CaseStatus, type Dossier } from './case-parts.tsx';
import { ReportButton } from './report-button.tsx';
import { RosDraftButton } from './ros-draft.tsx';
import { Timeline } from './timeline.tsx';
import { useCase } from './use-case.ts';
import { useCaseText } from './text/language.ts';

const route = getRouteApi('/cases/$id');

/** A case on one page: who it is about, what matched and why, what was decided, and what can be done. */
export function Case() {
  const { words } = useCaseText();
  const { id } = route.useParams();
  const query = useCase(id);
  return (
    <>
      <PageHead title={words.one} of={id}>
        {query.data !== undefined && (
          <>
            <CaseActions read={query.data} />
            <RosDraftButton of={query.data.dossier} />
            <ReportButton of={query.data.dossier} />
          </>
        )}
      </PageHead>
      <Loaded query={query}>
        {({ dossier }) => (
          <>
            <Decision of={dossier} />
            <div className="case">
              <CaseFacts of={dossier} />
              <div>
                <h2>{words.hits}</h2>
                {dossier.hits.length === 0 && <p>{words.noHits}</p>}
                <Hits hits={dossier.hits} compared={dossier.screening?.hits ?? []} />
                <FiredRules rules={dossier.rules} />
                <ListFreshness title={words.freshness.screened} lists={dossier.lists_when_screened} />
                <ListFreshness title={words.freshness.decided} lists={dossier.lists_when_decided ?? []} />
              </div>
            </div>
            <Attachments of={dossier} />
            <Timeline of={dossier} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** What was proposed or decided, before everything else. */
function Decision({ of: { proposal, resolution } }: { of: Dossier }) {
  const { words } = useCaseText();
  if (proposal !== null) {
    const { proposed_by: who, decision, reason } = proposal;
    return (
      <Notice tone="news">
        <p>{words.proposal(who, words.decisions[decision])}</p>
        <blockquote>{reason}</blockquote>
      </Notice>
    );
  }
  if (resolution === null) return null;
  const { resolved_by: who, approved_by: second, decision, reason } = resolution;
  return (
    <Notice tone="good">
      <p>
        {words.resolution(who, words.decisions[decision])} {second !== null && words.approvedBy(second)}
      </p>
      <blockquote>{reason}</blockquote>
    </Notice>
  );
}

function CaseFacts({ of: dossier }: { of: Dossier }) {
  const { words, clock, money } = useCaseText();
  const may = useMay();
  const { subject, subject_name, subject_ref, assignee, opened_at, ros_reference, resolution } = dossier;
  const screening = (
    <Link to="/screenings/$id" params={{ id: dossier.last_screening_id }}>
      {words.screened}
    </Link>
  );
  const document = [subject.document_type, subject.document_number].filter(Boolean).join(' ');
  return (
    <section className="card">
      <h2>{subject_name ?? words.unnamed}</h2>
      <Facts
        pairs={[
          [words.status, <CaseStatus of={dossier} />],
          [words.priority, <CasePriority of={dossier} />],
          [words.due, <CaseDue of={dossier} />],
          ...(resolution === null ? [] : [[words.decided, clock(resolution.resolved_at)] as const]),
          [words.assignee, assignee ?? words.nobody],
          [words.reference, subject_ref],
          [words.document, document],
          [words.birth, subject.birth_date],
          [words.country, subject.country_code],
          ...(subject.amount === undefined ? [] : [[words.amount, money(subject.amount, subject.currency)] as const]),
          [words.opened, clock(opened_at)],
          [words.screening, screening],
          ...(ros_reference === null || !may('compliance:ros') ? [] : [[words.ros, ros_reference] as const]),
        ]}
      />
    </section>
  );
}
