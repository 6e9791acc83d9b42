import { type Locale, useLanguageOf } from '@constancia/web';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

export const useText = () => useLanguageOf<Messages>();
