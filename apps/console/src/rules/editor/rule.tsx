import { Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useRules, useValidation } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';
import { RuleEditor, type RuleEditorProps } from './rule-editor.tsx';

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
            {(all) => (
              <OpenedRule
                key={`${id} ${ruleId}`}
                validation={loaded}
                rules={all}
                ruleId={ruleId}
                loading={rules.isFetching}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

/** The editor; it stays open when somebody removes the rule. */
function OpenedRule({ loading, ...opened }: RuleEditorProps & { loading: boolean }) {
  const { words } = useRuleText();
  const { rules, ruleId, validation } = opened;
  const isThere = ruleId === 'new' || rules.some(({ id }) => id === ruleId);
  const [wasThere, setWasThere] = useState(isThere);
  if (isThere && !wasThere) setWasThere(true);
  if (isThere || wasThere) return <RuleEditor {...opened} />;
  if (loading) return <Loading />;
  return (
    <Notice tone="error">
      <p>{words.editor.missing}</p>
      <Link to="/rules/$id" params={{ id: validation.id }}>
        {words.editor.toRules}
      </Link>
    </Notice>
  );
}
