import { expect, it } from 'vitest';
import { softwareOf } from './software.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const GOOGLE = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Chrome 141, Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${GOOGLE} Chrome/141.0.0.0 Safari/537.36`],
  ['Edge 141, Windows', `Mozilla/5.0 (Windows NT 10.0) ${GOOGLE} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
  ['Chrome 141, Android', `Mozilla/5.0 (Linux; Android 14) ${GOOGLE} Chrome/141.0.0.0 Mobile Safari/537.36`],
  ['Samsung Internet 28, Android', `Mozilla/5.0 (Linux; Android 14) ${GOOGLE} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['Safari 18, iOS', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${APPLE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Chrome 141, iOS', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${APPLE} CriOS/141.0.1 Mobile/15E148 Safari/604.1`],
  ['Safari 18, macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.1 Safari/605.1.15`],
  ['Firefox 144, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', ''],
])('%s', (name, userAgent) => expect(softwareOf(userAgent)).toBe(name)); // prettier-ignore
