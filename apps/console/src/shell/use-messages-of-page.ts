import { useLeavePage } from '@constancia/web';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What was announced on one page goes when another one is opened, but not when only its filter changes. */
export function useMessagesOfPage(): void {
  const { history } = useRouter();
  const leavePage = useLeavePage();
  useEffect(() => {
    let path = history.location.pathname;
    return history.subscribe(({ location }) => {
      if (location.pathname !== path) leavePage();
      path = location.pathname;
    });
  }, [history, leavePage]);
}
