import type { RatePolicy } from '@constancia/http';

const MINUTE = 60;
/** Requests that name a person whom a tenant wants to ask, and that ask one, of one key. */
const DISCOVERIES_PER_MINUTE = 30;
const PRESENTATIONS_PER_MINUTE = 10;
/** Requests of the page of a consent link: for its token, and from an address. */
const CONSENTS_PER_MINUTE = { link: 10, address: 60 };
/** What wallet apps ask for about a request, and from an address. */
const APP_REQUESTS_PER_MINUTE = 60;

/** Of requests for kept verifications, and of their answers. */
export function reusePolicies(): RatePolicy[] {
  const minute = { windowSeconds: MINUTE } as const;
  const byKey = { ...minute, method: 'POST', by: 'principal' } as const;
  return [
    { ...byKey, name: 'wallet-discover', path: '/v1/wallet/discover', limit: DISCOVERIES_PER_MINUTE },
    { ...byKey, name: 'wallet-request', path: '/v1/wallet/request-presentation', limit: PRESENTATIONS_PER_MINUTE },
    ...['GET', 'POST'].flatMap((method): RatePolicy[] => {
      const page = { ...minute, method, path: '/consent/:token/*' };
      const app = {
        ...minute,
        method,
        path: '/v1/wallet/openid4vp/:token/*',
        limit: APP_REQUESTS_PER_MINUTE,
        replacesGeneral: true,
      } as const;
      return [
        { ...app, name: 'app-request', by: { parameter: 'token' } },
        { ...app, name: 'app-request-address', by: 'ip' },
        { ...page, name: 'consent-link', limit: CONSENTS_PER_MINUTE.link, by: { parameter: 'token' } },
        { ...page, name: 'consent-address', limit: CONSENTS_PER_MINUTE.address, by: 'ip' },
      ];
    }),
  ];
}
