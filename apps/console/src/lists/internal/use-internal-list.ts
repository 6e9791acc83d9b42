import type { components } from '@constancia/sdk/generated/compliance';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { answerOf } from '../../api/apis.ts';
import { rawBody } from '../../api/raw-body.ts';
import { useApis } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { type InternalRow, rowsIn } from './rows.ts';

export type Preview = components['schemas']['ListPreviewView'];

/** The list as it was read, and the tag by which a change says what it was made from. */
export interface ReadList {
  rows: InternalRow[];
  text: string;
  etag: string;
}

const KEY = ['lists', 'internal'];

export function useInternalList(): UseQueryResult<ReadList> {
  const { compliance } = useApis();
  return useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const call = compliance.GET('/v1/lists/INTERNAL', { parseAs: 'text' });
      const text = await answerOf(call);
      return { text, rows: rowsIn(text), etag: (await call).response.headers.get('ETag') ?? '' };
    },
    refetchOnWindowFocus: false, // it may have 5 MB
  });
}

/** A file as the body of a request. */
const asCsv = (text: string) => rawBody(new Blob([text]), 'text/csv');

/** What a file would change, and the change itself. Both @throws ApiError, Unreachable */
export function useInternalChange() {
  const call = useCall();
  const queries = useQueryClient();
  const preview = (text: string): Promise<Preview> =>
    call(({ compliance }) => compliance.POST('/v1/lists/INTERNAL/preview', asCsv(text)));
  /** Refused when somebody replaced the list since it was read. The lists are read again in any case. */
  const put = async (text: string, etag: string): Promise<void> => {
    const params = { header: { 'If-Match': etag } };
    try {
      await call(({ compliance }) => compliance.PUT('/v1/lists/INTERNAL', { ...asCsv(text), params }));
    } finally {
      await queries.invalidateQueries({ queryKey: ['lists'] });
    }
  };
  return { preview, put };
}
