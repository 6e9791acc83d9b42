/** Mail services at which anybody gets an address: what a provider says about such an address says nothing about a tenant. */
const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `163.com 126.com aol.com duck.com fastmail.com gmail.com gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com hotmail.es hushmail.com
   icloud.com inbox.com latinmail.com live.com live.com.mx mac.com mail.com mail.ru mailinator.com me.com msn.com naver.com outlook.com
   outlook.es pm.me proton.me protonmail.com protonmail.ch qq.com rediffmail.com rocketmail.com terra.com tuta.com tutanota.com tuta.io
   web.de yahoo.com yahoo.com.ar yahoo.com.br yahoo.com.co yahoo.com.mx yahoo.es yandex.com yandex.ru ymail.com yopmail.com zoho.com
   zohomail.com`.split(/\s+/),
);

export function isPublicMailDomain(domain: string): boolean {
  return PUBLIC_MAIL_DOMAINS.has(domain.toLowerCase());
}
