const MAX_TOTAL_BYTES = 32 * 1024 * 1024;

/** The last mails, newest first, within a bound of count and of bytes. */
export class StoredMails {
  mails = [];
  bytes = 0;
  taken = 0;

  constructor(maxMessages) {
    this.maxMessages = maxMessages;
  }

  put(mail, size) {
    this.taken += 1;
    this.mails.unshift({ ...mail, id: this.taken, size });
    this.bytes += size;
    while (this.mails.length > this.maxMessages || this.bytes > MAX_TOTAL_BYTES) this.bytes -= this.mails.pop().size;
  }

  /** Those that went to this address (all of them without one), as the receivers of the envelope tell. */
  to(address) {
    const wanted = address?.trim().toLowerCase();
    return wanted ? this.mails.filter(({ receivers }) => receivers.includes(wanted)) : this.mails;
  }

  clear() {
    this.mails = [];
    this.bytes = 0;
  }
}
