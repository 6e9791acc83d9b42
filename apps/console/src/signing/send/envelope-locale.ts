import type { Locale } from '@constancia/web';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTenant } from '../../settings/use-tenant.ts';

const LAST_CHOICE = ['signing', 'envelope-locale'];

/** The language that new envelopes begin with: what was chosen last on this page, else the tenant's, which may still be loading (null). */
export function useEnvelopeLocale() {
  const queries = useQueryClient();
  const tenant = useTenant();
  const { data: last } = useQuery<Locale | null>({
    queryKey: LAST_CHOICE,
    initialData: null,
    enabled: false,
    gcTime: Infinity,
  });
  const keep = (locale: Locale): void => void queries.setQueryData<Locale | null>(LAST_CHOICE, locale);
  return { locale: initialLocale(last, tenant.data?.locale, tenant.isError), keep };
}

/** null: not known yet. */
export function initialLocale(last: Locale | null, ofTenant: string | undefined, failed: boolean): Locale | null {
  if (last !== null) return last;
  if (ofTenant === undefined) return failed ? 'es-CO' : null;
  return ofTenant === 'en' ? 'en' : 'es-CO';
}
