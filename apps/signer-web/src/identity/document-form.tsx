import type { PersonalDocument } from '@constancia/reference-data';
import { Button, Entry, useFocus } from '@constancia/web';
import { type SyntheticEvent, useMemo, useState } from 'react';
import type { IdentityCheck, IdentityDocument } from '../api/sign-state.ts';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { useJourney } from '../journey/journey.tsx';
import { useLanguage } from '../text/language.ts';
import { issuingCountries } from './issuing-countries.ts';

const LONGEST = 64;
const TYPES = ['CC', 'CE', 'PA', 'PPT', 'TI'] as const satisfies readonly PersonalDocument[];

const HOME = 'CO';

/** Which document the signer will show. Only passports have a country to choose: the others are Colombian. */
export function DocumentForm({ onStarted }: { onStarted: (check: IdentityCheck) => void }) {
  const { text, locale } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const [type, setType] = useState<PersonalDocument>('CC');
  const [number, setNumber] = useState('');
  const [country, setCountry] = useState(HOME);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const waitSeconds = useWaitSeconds();
  const countries = useMemo(() => issuingCountries(locale), [locale]);

  const start = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy || waitSeconds > 0) return;
    if (number.trim() === '') {
      setFault(text.identity.missing);
      return focus('document-number');
    }
    setBusy(true);
    const document: IdentityDocument = {
      document_type: type,
      document_number: number.trim(),
      country: type === 'PA' ? country : HOME,
    };
    const refused = await attempt(() => api.startIdentity(document), onStarted);
    setBusy(false);
    if (refused === null) return setFault(null);
    setFault(text.identity.malformed);
    focus('document-number');
  };

  return (
    <form onSubmit={(event) => void start(event)} noValidate>
      <Entry id="document-type" label={text.identity.documentType}>
        {(wiring) => (
          <select {...wiring} value={type} onChange={(event) => setType(event.target.value as PersonalDocument)}>
            {TYPES.map((each) => (
              <option key={each} value={each}>
                {text.identity.documentTypes[each]}
              </option>
            ))}
          </select>
        )}
      </Entry>
      {type === 'PA' && (
        <Entry id="country" label={text.identity.country}>
          {(wiring) => (
            <select {...wiring} value={country} onChange={(event) => setCountry(event.target.value)}>
              {countries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Entry>
      )}
      <Entry id="document-number" label={text.identity.number} help={text.identity.numberHelp} fault={fault}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            inputMode={type === 'PA' ? 'text' : 'numeric'}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={LONGEST}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
          />
        )}
      </Entry>
      <p className="help">{text.identity.privacy}</p>
      <FailureNotice />
      <div className="actions">
        <Button look="primary" submit busy={busy} waiting={waitSeconds > 0}>
          {text.identity.submit}
        </Button>
      </div>
    </form>
  );
}
