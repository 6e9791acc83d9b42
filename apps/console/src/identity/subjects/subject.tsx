import { Button, Facts } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { type Call, useRecord } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useIdentityText } from '../text/language.ts';
import { EraseDialog, useErasure } from './erase-dialog.tsx';
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
      <PageHead title={words.subject.one}>
        <Link className="button secondary" to="/identity/sessions" search={{ subject_id: id }}>
          {words.subject.sessions}
        </Link>
        {query.data !== undefined && <Erase of={query.data} />}
      </PageHead>
      <Loaded query={query}>{(subject) => <SubjectFacts of={subject} />}</Loaded>
    </>
  );
}

/** For who may erase: the dialog, or the receipt of the erasure that was done. */
function Erase({ of: { subject_id: id, erased_at } }: { of: SubjectRow }) {
  const { words } = useIdentityText();
  const may = useMay();
  const erase = useErasure(id);
  const { busy, error, run } = useAction();
  const [asks, setAsks] = useState(false);
  if (!may('identity:erase')) return null;
  if (erased_at !== null) {
    return (
      <>
        <Button busy={busy !== null} onPress={() => void run('receipt', erase)}>
          {words.subject.receipt}
        </Button>
        {error !== null && <Failure error={error} />}
      </>
    );
  }
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
