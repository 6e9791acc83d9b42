/** A JSON Pointer (RFC 6901) one member below another. */
export function pointerTo(parent: string, member: string): string {
  return `${parent}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
