/** What is wrong with a provider: a stable code, and a sentence for the person who sets it up. */
export class ProviderProblem extends Error {
  constructor(
    readonly code:
      | 'provider_unreachable'
      | 'address_refused'
      | 'no_discovery'
      | 'issuer_mismatch'
      | 'endpoint_missing'
      | 'endpoint_refused'
      | 'no_code_flow'
      | 'no_pkce_s256'
      | 'no_signature_algorithm'
      | 'no_client_authentication',
    message: string,
  ) {
    super(message);
    this.name = 'ProviderProblem';
  }
}
