import { Title } from '@constancia/web';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  /** Also the title of the window: no name of a person, no address. */
  title: string;
  /** Which one, in the title of the window: an id or a code, never what may be about a person. */
  of?: string | undefined;
  lead?: ReactNode;
  /** Buttons for what can be done on this page as a whole. */
  children?: ReactNode;
}

/** The heading of a page, what it is for, and what can be done there. */
export function PageHead({ title, of, lead, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${[title, of].filter(Boolean).join(' ')} · Constancia`;
  }, [title, of]);
  return (
    <div className="page-head">
      <div>
        <Title keepsScroll>{title}</Title>
        {lead !== undefined && <p className="help">{lead}</p>}
      </div>
      {children !== undefined && <div className="actions small">{children}</div>}
    </div>
  );
}
