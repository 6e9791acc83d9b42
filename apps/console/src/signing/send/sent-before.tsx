import { Button, Notice } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSigningText } from '../text/language.ts';

interface SentBeforeProps {
  /** null: it had other access codes. */
  id: string | null;
  busy: boolean;
  onAgain: () => void;
}

/** The same was sent in the last 24 hours: nothing was sent now, unless somebody wants it. */
export function SentBefore({ id, busy, onAgain }: SentBeforeProps) {
  const { words } = useSigningText();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div ref={notice}>
      <Notice tone="warning">
        <p>{id === null ? words.send.otherCode : words.send.sentBefore('1')}</p>
        <div className="actions small">
          {id !== null && (
            <Link to="/signing/envelopes/$id" params={{ id }} className="button secondary">
              {words.send.seeEarlier}
            </Link>
          )}
          <Button busy={busy} onPress={onAgain}>
            {words.send.repeat}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
