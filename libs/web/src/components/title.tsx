import { type ReactNode, useEffect, useRef } from 'react';

let first = true;

interface TitleProps {
  children: ReactNode;
  /** Something else decides how far the page is scrolled. */
  keepsScroll?: boolean;
}

/** The heading of a screen. It takes the focus when a screen replaces another, so that what is read aloud begins there. */
export function Title({ children, keepsScroll = false }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!first) {
      heading.current?.focus({ preventScroll: true });
      if (!keepsScroll) window.scrollTo(0, 0);
    }
    first = false;
  }, [keepsScroll]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
