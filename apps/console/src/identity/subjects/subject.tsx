import { Button, Facts } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { type Call, useRecord } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useIdentityText } from '../text/language.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { documentOf, type SubjectRow, SUBJECTS, SubjectStatus, useSubjectName } from './subject-parts.tsx';

const route = getRouteApi('/identity/subjects/$id');

/** One person whom the tenant verified, and their erasure. The name is on the page alone, not in its title. */
export function Subject() {
  const { words } = useIdentityText();
  const { id } = route.useParams();
  const query = useRecord(
    [...SUBJECTS, id],
    ({ platform }) => platform.GET('/v1/kyc/subjects/{id}', { params: { path: { id } } }) as Call<SubjectRow>,
  );
  return (
    <>
      <PageHead title={words.subject.one} of={id}>
        <Link className="button secondary" to="/identity/sessions" search={{ subject_id: id }}>
          {words.subject.sessions}
        </Link>
        {query.data !== undefined && <Erase of={query.data} />}
      </PageHead>
      <Loaded query={query}>{(subject) => <SubjectFacts of={subject} />}</Loaded>
    </>
  );
}

/** The receipt of the erasure that was done; for who may erase, the dialog. */
function Erase({ of: { subject_id: id, erased_at, receipt_id } }: { of: SubjectRow }) {
  const { words } = useIdentityText();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  if (receipt_id !== null) {
    return (
      <Link className="button secondary" to="/identity/erasures/$id" params={{ id: receipt_id }}>
        {words.subject.receipt}
      </Link>
    );
  }
  if (erased_at !== null || !may('identity:erase')) return null;
  return (
    <>
      <Button look="danger" onPress={() => setAsks(true)}>
        {words.erasure.erase}
      </Button>
      {asks && <EraseDialog id={id} onClose={() => setAsks(false)} />}
    </>
  );
}

function SubjectFacts({ of: subject }: { of: SubjectRow }) {
  const { words, number, clock } = useIdentityText();
  const nameOf = useSubjectName();
  const { subject_id, external_ref, document_country, birth_date, age_years, verified_at, erased_at } = subject;
  const age = age_years === null ? '' : `(${words.subject.age(number(age_years))})`;
  return (
    <Facts
      pairs={[
        [words.subject.name, <strong key="name">{nameOf(subject)}</strong>],
        [words.subject.status, <SubjectStatus key="status" of={subject} />],
        [words.subject.document, documentOf(subject)],
        [words.subject.country, document_country],
        [words.subject.birth, birth_date && `${birth_date} ${age}`],
        [words.subject.reference, external_ref],
        [words.subject.lists, subject.restrictive_list_hits.join(', ')],
        [words.subject.verified, verified_at && clock(verified_at)],
        ...(erased_at === null ? [] : [[words.subject.erasedAt, clock(erased_at)] as const]),
        ['ID', <code key="id">{subject_id}</code>],
      ]}
    />
  );
}
