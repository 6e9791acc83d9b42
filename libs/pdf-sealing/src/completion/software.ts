/** Programs by what their user agents hold, the narrower first: nearly all call themselves Mozilla, and most Chrome or Safari. */
const PROGRAMS: readonly [name: string, version: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\b(?:OPR|Opera)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\//],
];
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** A user agent as people say it, `Chrome 141, Android`; one that is not known stays as it is. The trail keeps it whole. */
export function softwareOf(userAgent: string): string {
  const program = PROGRAMS.flatMap(([name, version]) => {
    const found = version.exec(userAgent);
    return found ? [`${name} ${found[1]}`] : [];
  })[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  return program && system ? `${program}, ${system}` : userAgent;
}
