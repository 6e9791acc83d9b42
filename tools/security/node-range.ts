type Version = readonly [major: number, minor: number, patch: number];

/** Whether a Node version is within a range as `engines` writes it: `^20.19.0 || >=22`, `>= 18 <23`, `20.x`, `*`. */
export function admitsNode(range: string, version: string): boolean {
  const wanted = versionOf(version);
  return range.split('||').some((part) => comparators(part).every((one) => holds(one, wanted)));
}

/** `>= 18 <23` as `>=18`, `<23`. */
function comparators(part: string): string[] {
  return part
    .trim()
    .replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1')
    .split(/\s+/)
    .filter((one) => one !== '' && one !== '*');
}

function holds(comparator: string, version: Version): boolean {
  const [, sign = '', text = ''] = /^(>=|<=|>|<|=|\^|~)?v?(.+)$/.exec(comparator) ?? [];
  const parts = text.split('.').filter((each) => /^\d+/.test(each));
  const bound = versionOf(text);
  const order = compare(version, bound);
  if (sign === '>=') return order >= 0;
  if (sign === '>') return parts.length === 3 ? order > 0 : !sameUpTo(parts.length, version, bound) && order > 0;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0 || sameUpTo(parts.length, version, bound);
  if (sign === '^') return order >= 0 && version[0] === bound[0];
  if (sign === '~') return order >= 0 && sameUpTo(Math.min(parts.length, 2), version, bound);
  return sameUpTo(parts.length, version, bound);
}

function versionOf(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function sameUpTo(parts: number, a: Version, b: Version): boolean {
  return a.slice(0, parts).every((each, index) => each === b[index]);
}
