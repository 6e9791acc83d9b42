import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOf } from '../../api/apis.ts';
import { useApis } from '../../member/member.tsx';
import { SESSIONS } from '../shared/use-session.ts';

export type PictureKind = 'doc_front' | 'doc_back' | 'selfie';

/** A picture of a session. It is asked for once, since each time is in the audit log, and forgotten when the page is left. */
export function usePicture(id: string, kind: PictureKind): UseQueryResult<Blob> {
  const { platform } = useApis();
  return useQuery({
    queryKey: ['pictures', ...SESSIONS, id, kind],
    queryFn: () => {
      const params = { path: { id, kind } };
      const call = platform.GET('/v1/flows/sessions/{id}/pictures/{kind}', { params, parseAs: 'blob' });
      return answerOf(call) as Promise<Blob>;
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** An address of the blob for as long as the component shows it; null before. */
export function useObjectUrl(blob: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
