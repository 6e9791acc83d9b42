import { useRef, useState } from 'react';

/** What was found for a form as it was sent. A change of the form takes it away, and what is found after the change is not shown. */
export function useFormResult<Result>() {
  const [result, setResult] = useState<Result | null>(null);
  const changes = useRef(0);
  const clear = (): void => {
    changes.current += 1;
    setResult(null);
  };
  /** Before the form is sent: answers what shows the result of that. */
  const begin = (): ((found: Result) => void) => {
    clear();
    const sent = changes.current;
    return (found) => {
      if (changes.current === sent) setResult(found);
    };
  };
  return { result, clear, begin, replace: setResult };
}
