import { type ReactNode, useEffect, useRef } from 'react';

let first = true;

/** The heading of a screen. It takes the focus when a screen replaces another, so that what is read aloud begins there. */
export function Title({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!first) {
      heading.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    first = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
