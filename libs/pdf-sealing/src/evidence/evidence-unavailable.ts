/** The evidence cannot be had at present, or not at all as things are configured. The message says what is missing. */
export class EvidenceUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'EvidenceUnavailable';
  }
}
