import { Facts, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useRules, useValidation, type ValidationRow } from '../model/use-rules.ts';
import { ValidationState } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { RuleList } from './rule-list.tsx';
import { ValidationActions } from './validation-actions.tsx';

const route = getRouteApi('/rules/$id');

/** One version of a validation: its rules, what the linter says of them, and what can be done with it. */
export function Validation() {
  const { words } = useRuleText();
  const may = useMay();
  const { id } = route.useParams();
  const query = useValidation(id);
  const rules = useRules(id);
  const validation = query.data;
  const editable = may('compliance:rules') && validation?.status === 'draft';
  return (
    <>
      <p className="back">
        <Link to="/rules">{words.all}</Link>
      </p>
      <PageHead title={validation?.name ?? words.title}>
        {validation !== undefined && <ValidationActions of={validation} rules={rules.data} />}
      </PageHead>
      <Loaded query={query}>{(loaded) => <About of={loaded} />}</Loaded>
      <h2>{words.rules}</h2>
      <Loaded query={rules}>{(loaded) => <RuleList rules={loaded} editable={editable} />}</Loaded>
    </>
  );
}

function About({ of: validation }: { of: ValidationRow }) {
  const { words, clock, number } = useRuleText();
  const may = useMay();
  const { code, version, description, status, updated_at, published_at, deprecated_at, published_first_by } =
    validation;
  return (
    <>
      {published_first_by !== null && (
        <Notice tone="news">
          <p>{words.publish.firstBy(published_first_by)}</p>
        </Notice>
      )}
      {status !== 'draft' && may('compliance:rules') && <p className="help">{words.readOnly}</p>}
      <Facts
        pairs={[
          [words.status, <ValidationState of={validation} />],
          [words.code, <code>{code}</code>],
          [words.version, number(version)],
          [words.description, description],
          [words.updated, clock(updated_at)],
          ...(published_at === null ? [] : [[words.published, clock(published_at)] as const]),
          ...(deprecated_at === null ? [] : [[words.replaced, clock(deprecated_at)] as const]),
        ]}
      />
    </>
  );
}
