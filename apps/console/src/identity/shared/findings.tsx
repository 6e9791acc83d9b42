import { Facts, State } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../member/member.tsx';
import { useIdentityText } from '../text/language.ts';
import { type Answers, answersOf } from './findings-of.ts';
import { useReasonText } from './session-parts.tsx';
import type { Session } from './use-session.ts';
import './findings.css';

/** What each step found, in plain words. */
export function Findings({ of: session }: { of: Session }) {
  const { words } = useIdentityText();
  const answers = answersOf(session);
  const steps = (['consent', 'document_upload', 'face_match', 'sarlaft'] as const).filter((step) => answers[step]);
  if (steps.length === 0) return <p className="empty">{words.session.noResults}</p>;
  return (
    <div className="cards findings">
      {steps.map((step) => (
        <section key={step} className="card">
          <h3>{words.steps[step]}</h3>
          {answers[step]?.skipped === true ? (
            <p>{words.findings.skipped}</p>
          ) : (
            <StepFindings step={step} of={answers} />
          )}
        </section>
      ))}
    </div>
  );
}

function StepFindings({ step, of: answers }: { step: keyof Answers; of: Answers }) {
  const { words, clock } = useIdentityText();
  switch (step) {
    case 'consent': {
      const at = answers.consent?.accepted_at;
      return <Facts pairs={[[words.findings.accepted, at !== undefined && clock(at)]]} />;
    }
    case 'document_upload':
      return <DocumentFindings of={answers.document_upload ?? {}} />;
    case 'face_match':
      return <FaceFindings of={answers.face_match ?? {}} />;
    case 'sarlaft':
      return <ScreeningFindings of={answers.sarlaft ?? {}} />;
  }
}

function DocumentFindings({
  of: { kind, fields = {}, reasons = [] },
}: {
  of: NonNullable<Answers['document_upload']>;
}) {
  const { words } = useIdentityText();
  return (
    <>
      <Remarks of={reasons} />
      <Facts
        pairs={[
          [words.findings.kind, kind && (words.kinds[kind] ?? kind)],
          ...Object.entries(fields).map(([name, { value, source, trusted }]): [string, ReactNode] => [
            words.fields[name] ?? name,
            <span key={name}>
              {value}{' '}
              <small>
                {words.sources[source] ?? source}, {trusted ? words.findings.trusted : words.findings.untrusted}
              </small>
            </span>,
          ]),
        ]}
      />
    </>
  );
}

const LIVE_KINDS = { live: 'good', suspected: 'bad', undetermined: 'wait' } as const;

function FaceFindings({ of: { score = null, liveness, reasons = [] } }: { of: NonNullable<Answers['face_match']> }) {
  const { words, percent } = useIdentityText();
  const seen = liveness?.passive?.decision;
  const by = (liveness?.evidence ?? []).map((evidence) => words.findings.evidence[evidence]).join(', ');
  return (
    <>
      <Remarks of={reasons} />
      <Facts
        pairs={[
          [words.findings.likeness, score === null ? words.findings.noLikeness : percent(score)],
          [
            words.findings.liveness,
            <span key="liveness">
              {seen !== undefined && <State kind={LIVE_KINDS[seen]}>{words.findings.live[seen]}</State>} {by || '–'}
            </span>,
          ],
        ]}
      />
    </>
  );
}

const DECISION_KINDS = { approve: 'good', review: 'wait', reject: 'bad' } as const;

function ScreeningFindings({ of: { decision, case_id = null } }: { of: NonNullable<Answers['sarlaft']> }) {
  const { words } = useIdentityText();
  const may = useMay();
  return (
    <>
      <Facts
        pairs={[
          [
            words.findings.screening,
            decision && <State kind={DECISION_KINDS[decision]}>{words.findings.screened[decision]}</State>,
          ],
        ]}
      />
      {case_id !== null && may('compliance:read') && (
        <Link to="/cases/$id" params={{ id: case_id }}>
          {words.findings.showCase}
        </Link>
      )}
    </>
  );
}

function Remarks({ of: reasons }: { of: readonly string[] }) {
  const { words } = useIdentityText();
  const reasonText = useReasonText();
  if (reasons.length === 0) {
    return (
      <p>
        <State kind="good">{words.findings.fine}</State>
      </p>
    );
  }
  return (
    <ul className="rules remarks">
      {reasons.map((reason) => (
        <li key={reason}>{reasonText(reason)}</li>
      ))}
    </ul>
  );
}
