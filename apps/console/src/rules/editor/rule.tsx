import { getRouteApi, Link } from '@tanstack/react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { useRules, useValidation } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';
import { RuleEditor } from './rule-editor.tsx';

const route = getRouteApi('/rules/$id/rule/$ruleId');

/** A rule of a validation, as a table or as a graph; `new` in the place of its id: one that is not saved yet. */
export function RulePage() {
  const { words } = useRuleText();
  const { id, ruleId } = route.useParams();
  const validation = useValidation(id);
  const rules = useRules(id);
  return (
    <>
      <p className="back">
        <Link to="/rules/$id" params={{ id }}>
          {validation.data === undefined
            ? words.back
            : `${validation.data.name}, ${words.versionOf(String(validation.data.version))}`}
        </Link>
      </p>
      <Loaded query={validation}>
        {(loaded) => (
          <Loaded query={rules}>
            {(all) => <RuleEditor key={`${id} ${ruleId}`} validation={loaded} rules={all} ruleId={ruleId} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
