/** What must never be in a log: keys, tokens, webhook secrets, mail addresses, anything from the bytes of a PDF. */
const SECRETS =
  /(?:\b(?:live|test|rec|own)_[0-9A-Za-z]{8,}|\bwhsec_[0-9A-Za-z+/=]+|\bBearer\s+\S+|[^\s"<>()[\]\\,;:@]{1,64}@[^\s"<>()[\]\\,;:@/]+\.[^\s"<>()[\]\\,;:@/.]+|%PDF-[^]*|(:\/\/[^\s:/@]*):[^\s@]+@)/g;

/** Nothing above can match a text without one of these: most texts pass with this look alone. */
const MARKS = ['_', '@', 'Bearer', '%PDF'];

const MAX_TEXT = 2_000;
/** Read beyond what is shown, so that the cut goes through no secret: half of one has not its form. An address has 254 characters. */
const BEYOND = 320;

/** A text fit for a log: secrets and mail addresses replaced, cut at `max` characters. */
export function scrub(text: string, max: number = MAX_TEXT): string {
  const read = text.length > max + BEYOND ? text.slice(0, max + BEYOND) : text;
  const safe = MARKS.some((mark) => read.includes(mark)) ? hidden(read) : read;
  return text.length > max ? `${safe.slice(0, max)}…` : safe;
}

function hidden(text: string): string {
  return text.replace(SECRETS, (match: string, urlUser: string | undefined) => {
    if (urlUser !== undefined) return `${urlUser}:[hidden]@`;
    const prefix = /^(?:live_|test_|rec_|own_|whsec_|Bearer )/.exec(match)?.[0] ?? '';
    return `${prefix}[hidden]`;
  });
}
