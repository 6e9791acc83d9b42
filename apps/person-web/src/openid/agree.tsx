import { Button, Notice, Screen } from '@constancia/web';
import { useLinkRequest } from '../session/use-link-request.ts';
import { ClaimList, type StepProps } from './sign-in.tsx';
import { useText } from './text/language.ts';

/** What would be given, and the text that is agreed to. */
export function Agree({ link, state, onEnd, onGone }: StepProps) {
  const { text, sentenceOf } = useText();
  const { busy, error, run } = useLinkRequest(onGone);
  const agree = (): Promise<void> => run('agree', async () => onEnd(await link.agree(state.text)));
  const refuse = (): Promise<void> => run('refuse', async () => onEnd(await link.refuse()));
  const { name } = state.client;
  const gives = state.text !== null;
  return (
    <Screen
      key="agree"
      title={gives ? text.agree.title(state.tenant.display_name) : text.agree.plain(name)}
      lead={gives ? text.agree.lead(name) : text.agree.nothing(name)}
    >
      {gives && <ClaimList id="given" title={text.agree.claims} claims={state.claims} />}
      <div className="part">
        {state.text !== null && (
          <>
            <h2 id="agreed">{text.agree.text}</h2>
            <div className="consent-text" role="region" tabIndex={0} aria-labelledby="agreed" lang={state.text.locale}>
              <p>{state.text.text}</p>
            </div>
          </>
        )}
        {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
        <div className="actions">
          <Button look="primary" busy={busy === 'agree'} onPress={() => void agree()}>
            {gives ? text.agree.approve : text.agree.proceed}
          </Button>
          <Button look="quiet" busy={busy === 'refuse'} onPress={() => void refuse()}>
            {text.refuse}
          </Button>
        </div>
      </div>
    </Screen>
  );
}
