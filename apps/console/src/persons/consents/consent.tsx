import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Notice, State, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { usePersonText } from '../text/language.ts';
import { PRESENTATIONS } from './request-dialog.tsx';

type Presentation = components['schemas']['PresentationView'];

const route = getRouteApi('/persons/consents/$id');

const KINDS = { pending: 'wait', approved: 'good', declined: 'bad', expired: 'bad', cancelled: 'bad' } as const;
/** As long as a person has to answer, at most: fifteen minutes. */
const WATCH = { while: ({ status }: Presentation) => status === 'pending', everyMs: 15_000, times: 60 };

/** One request for a verification: where it stands, and what came back. */
export function Consent() {
  const { words } = usePersonText();
  const { id } = route.useParams();
  const query = useRecord(
    [...PRESENTATIONS, id],
    ({ platform }) => platform.GET('/v1/wallet/presentations/{id}', { params: { path: { id } } }),
    WATCH,
  );
  return (
    <>
      <PageHead title={words.consents.one} of={id}>
        {query.data !== undefined && <Cancel of={query.data} />}
      </PageHead>
      <Loaded query={query}>
        {(presentation) => (
          <>
            {presentation.consent_revoked_at !== null && <Notice tone="warning">{words.consents.revoked}</Notice>}
            <RequestFacts of={presentation} />
            <h2>{words.consents.given}</h2>
            <Given of={presentation} />
          </>
        )}
      </Loaded>
    </>
  );
}

function RequestFacts({ of: presentation }: { of: Presentation }) {
  const { words, number, clock } = usePersonText();
  const { consents } = words;
  const { status, approved_at, credits_held: held, credits_debited: spent } = presentation;
  return (
    <Facts
      pairs={[
        [
          consents.status,
          <State key="status" kind={KINDS[status]}>
            {consents.statuses[status]}
          </State>,
        ],
        [consents.channel, consents.channels[presentation.channel]],
        [consents.purpose, presentation.purpose],
        [consents.claims, presentation.claims_requested.map((claim) => consents.claimTexts[claim]).join(', ')],
        [consents.credits, held > 0 ? consents.held(number(held)) : consents.spent(number(spent))],
        [consents.reference, presentation.external_ref],
        [consents.createdAt, clock(presentation.created_at)],
        approved_at === null
          ? [consents.expires, clock(presentation.expires_at)]
          : [consents.approvedAt, clock(approved_at)],
        ['ID', <code key="id">{presentation.id}</code>],
      ]}
    />
  );
}

function Given({ of: { status, claims, verification, subject_id } }: { of: Presentation }) {
  const { words, clock } = usePersonText();
  const { consents } = words;
  if (claims === null) return <p className="empty">{consents.nothing[status]}</p>;
  return (
    <Facts
      pairs={[
        [consents.claimTexts.full_name, claims.full_name],
        [consents.claimTexts.birth_date, claims.birth_date],
        [consents.documentType, claims.document_type],
        [consents.claimTexts.document_number, claims.document_number],
        [consents.country, claims.document_country],
        [consents.verified, verification && clock(verification.verified_at)],
        [consents.level, verification && consents.levels[verification.level]],
        [
          consents.subject,
          subject_id !== null && (
            <Link to="/identity/subjects/$id" params={{ id: subject_id }}>
              {consents.showSubject}
            </Link>
          ),
        ],
      ]}
    />
  );
}

function Cancel({ of: { id, status } }: { of: Presentation }) {
  const { words } = usePersonText();
  const { consents } = words;
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const [asks, setAsks] = useState(false);
  return (
    <>
      {may('identity:write') && status === 'pending' && (
        <Button onPress={() => setAsks(true)}>{consents.cancel}</Button>
      )}
      {asks && (
        <FormDialog
          title={consents.cancel}
          lead={consents.cancelLead}
          submit={consents.cancel}
          dangerous
          onClose={() => setAsks(false)}
          onSubmit={async () => {
            const params = { path: { id } };
            await call(
              ({ platform }) => platform.POST('/v1/wallet/presentations/{id}/cancel', { params }),
              PRESENTATIONS,
            );
            announce(consents.cancelled);
          }}
        />
      )}
    </>
  );
}
