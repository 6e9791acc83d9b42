import { useLayoutEffect, useState } from 'react';

/** The width that an element has for its content, in pixels of the layout. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setWidth(element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}
