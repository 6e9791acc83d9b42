import { countryCode } from './country-code.ts';
import type { Reading } from './reading.ts';
import type { XmlElement } from './xml-elements.ts';

/** The look-up tables at the head of OFAC's advanced XML: parties speak of types, countries and places by number. */
export class OfacReferences {
  /** Text by `Kind:ID`. */
  private readonly texts = new Map<string, string>();
  private readonly countries = new Map<string, string>();
  private readonly countryOfArea = new Map<string, string>();
  private readonly typeOfSubType = new Map<string, string>();
  private readonly locations = new Map<string, string>();

  constructor(private readonly reading: Reading) {}

  takeSets(sets: XmlElement): void {
    for (const value of sets.children.flatMap((set) => set.children)) {
      const id = value.attribute('ID');
      this.texts.set(`${value.name}:${id}`, value.text.trim());
      if (value.name === 'Country') this.countries.set(id, value.attribute('ISO2') || value.text.trim());
      if (value.name === 'AreaCode') this.countryOfArea.set(id, value.attribute('CountryID'));
      if (value.name === 'PartySubType') this.typeOfSubType.set(id, value.attribute('PartyTypeID'));
    }
  }

  takeLocation(location: XmlElement): void {
    const area = location.first('LocationAreaCode')?.attribute('AreaCodeID') ?? '';
    const id = location.first('LocationCountry')?.attribute('CountryID') ?? this.countryOfArea.get(area);
    const country = id ? this.country(id) : countryAmong(location);
    if (country) this.locations.set(location.attribute('ID'), country);
  }

  /** The word behind a number, for example `text('FeatureType', '8')`: Birthdate. Empty where the file has none. */
  text(kind: string, id: string): string {
    return this.texts.get(`${kind}:${id}`) ?? '';
  }

  partyType(subTypeId: string): { type: string; subType: string } {
    const type = this.text('PartyType', this.typeOfSubType.get(subTypeId) ?? '');
    return { type, subType: this.text('PartySubType', subTypeId) };
  }

  /** ISO 3166-1 alpha-2. */
  country(id: string): string | undefined {
    return this.reading.country(this.countries.get(id));
  }

  countryOfLocation(id: string): string | undefined {
    return this.locations.get(id);
  }
}

/** Some places name their country in words only, as one of their parts. */
function countryAmong(location: XmlElement): string | undefined {
  const values = location.all('LocationPart').flatMap((part) => part.all('LocationPartValue'));
  return values.map((value) => countryCode(value.textOf('Value'))).find(Boolean);
}
