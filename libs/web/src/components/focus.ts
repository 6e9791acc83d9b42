import { useCallback, useEffect, useState } from 'react';

/**
 * A function that moves the focus to the input with this id, after React has drawn what was changed together with the call:
 * the input may not be on the page before, and a slow telephone may need more than a frame until it is.
 */
export function useFocus(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (wanted !== null) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return useCallback((id: string) => setWanted({ id }), []);
}
