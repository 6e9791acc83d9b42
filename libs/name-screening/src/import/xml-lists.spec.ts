import { describe, expect, it } from 'vitest';
import { importText, problemOf } from './text-file.fixture.ts';

// Nobody in these files exists.
const UN = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="2026-02-27T00:00:09.554Z">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>1</DATAID><FIRST_NAME>ABD AL-FICTICIO</FIRST_NAME><SECOND_NAME>EJEMPLO</SECOND_NAME><THIRD_NAME/>
      <UN_LIST_TYPE>Al-Qaida</UN_LIST_TYPE><REFERENCE_NUMBER>QDi.990</REFERENCE_NUMBER>
      <NAME_ORIGINAL_SCRIPT>عبد الخيالي</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE><VALUE>na</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Abdul Ficticio; Abdel Ficticio</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Abu &amp; Ejemplo</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ADDRESS><COUNTRY>Kafiristan</COUNTRY></INDIVIDUAL_ADDRESS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1970-02-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1969</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1968</FROM_YEAR><TO_YEAR>1973</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH/>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Numéro de passeport</TYPE_OF_DOCUMENT><NUMBER>X1</NUMBER><ISSUING_COUNTRY>Pakistan</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT/>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY><FIRST_NAME>FRENTE, FICTICIO Y EJEMPLO</FIRST_NAME><UN_LIST_TYPE>DRC</UN_LIST_TYPE><REFERENCE_NUMBER>CDe.990</REFERENCE_NUMBER>
      <ENTITY_ALIAS><QUALITY>f.k.a.</QUALITY><ALIAS_NAME>FFE</ALIAS_NAME></ENTITY_ALIAS></ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>
`;

const FSF = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <sdnList> a > b -->
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-08-14T11:00:00.000+02:00" globalFileId="1">
  <sanctionEntity designationDetails="" unitedNationId="QDi.990" euReferenceNumber="EU.9990.1" logicalId="9990">
    <regulation programme="TERR" numberTitle="1/2026"><publicationUrl>https://example.org</publicationUrl></regulation>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="" middleName="" lastName="" wholeName="El Ficticio" strong="false" nameLanguage=""/>
    <nameAlias firstName="Abd" middleName="al-Ficticio" lastName="Ejemplo" wholeName="Abd al-Ficticio Ejemplo" strong="true" nameLanguage="EN"/>
    <nameAlias wholeName="Abd al-Ficticio Ejemplo" strong="true" nameLanguage="DE"/>
    <nameAlias wholeName="Абд ал-Фиктивный" strong="true" nameLanguage="BG"/>
    <citizenship countryIso2Code="IR" countryDescription="IRAN"/>
    <citizenship countryIso2Code="00" countryDescription="UNKNOWN"/>
    <birthdate circa="false" birthdate="1970-02-03" year="1970" monthOfYear="2" dayOfMonth="3" countryIso2Code="00"/>
    <birthdate circa="true" yearRangeFrom="1968" yearRangeTo="1973"/>
    <birthdate circa="false" year="1971"/>
    <birthdate circa="false" city="Ejemplo" countryIso2Code="IQ"/>
    <identification number="X1" identificationTypeCode="passport" identificationTypeDescription="National passport" countryIso2Code="00"/>
    <identification number="77" identificationTypeCode="id" identificationTypeDescription="National identification card" countryIso2Code="IR"/>
  </sanctionEntity>
  <sanctionEntity euReferenceNumber="EU.9991.1" logicalId="9991">
    <regulation programme="BLR"/><subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="FICTIVE, EXEMPLE SARL" strong="true"/>
    <address city="Ejemplo" countryIso2Code="BY"/>
  </sanctionEntity>
</export>`;

const ADVANCED = `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://example.org/ADVANCED_XML" Version="1">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>3</Month><Day>4</Day></DateOfIssue>
  <ReferenceValueSets>
    <AreaCodeValues><AreaCode ID="71" CountryID="170" Description="Colombia">CO</AreaCode></AreaCodeValues>
    <CountryValues><Country ID="170" ISO2="CO">Colombia</Country><Country ID="862">Venezuela</Country></CountryValues>
    <FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType><FeatureType ID="10">Nationality Country</FeatureType><FeatureType ID="25">Location</FeatureType></FeatureTypeValues>
    <IDRegDocTypeValues><IDRegDocType ID="1">Cedula No.</IDRegDocType><IDRegDocType ID="2">NIT #</IDRegDocType></IDRegDocTypeValues>
    <NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType><NamePartType ID="1525">Entity Name</NamePartType></NamePartTypeValues>
    <PartySubTypeValues><PartySubType ID="1" PartyTypeID="4">Vessel</PartySubType><PartySubType ID="3" PartyTypeID="2">Unknown</PartySubType><PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></PartySubTypeValues>
    <PartyTypeValues><PartyType ID="1">Individual</PartyType><PartyType ID="2">Entity</PartyType><PartyType ID="4">Transport</PartyType></PartyTypeValues>
    <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType><SanctionsType ID="2">Block</SanctionsType></SanctionsTypeValues>
  </ReferenceValueSets>
  <Locations>
    <Location ID="5"><LocationCountry CountryID="862"/></Location>
    <Location ID="7"><LocationPart LocPartTypeID="1"><LocationPartValue Primary="true"><Value>Panama</Value></LocationPartValue></LocationPart></Location>
    <Location ID="6"><LocationAreaCode AreaCodeID="71"/></Location>
  </Locations>
  <IDRegDocuments>
    <IDRegDocument ID="1" IDRegDocTypeID="1" IdentityID="501" IssuedBy-CountryID="170"><IDRegistrationNo>1000000001</IDRegistrationNo></IDRegDocument>
    <IDRegDocument ID="2" IDRegDocTypeID="2" IdentityID="502" IssuedBy-CountryID="170"><IDRegistrationNo>900000001-7</IDRegistrationNo></IDRegDocument>
  </IDRegDocuments>
  <DistinctParties>
    <DistinctParty FixedRef="90001"><Comment/><Profile ID="90001" PartySubTypeID="4">
      <Identity ID="501" Primary="true" False="false">
        <Alias AliasTypeID="1400" Primary="false" LowQuality="true"><DocumentedName><DocumentedNamePart><NamePartValue NamePartGroupID="1">EL FICTICIO</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <Alias AliasTypeID="1403" Primary="true" LowQuality="false"><DocumentedName>
          <DocumentedNamePart><NamePartValue NamePartGroupID="1">FICTICIO EJEMPLO</NamePartValue></DocumentedNamePart>
          <DocumentedNamePart><NamePartValue NamePartGroupID="2">Ernesto</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <Alias AliasTypeID="1400" Primary="false" LowQuality="false"><DocumentedName><DocumentedNamePart><NamePartValue NamePartGroupID="1">EJEMPLO</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <NamePartGroups>
          <MasterNamePartGroup><NamePartGroup ID="1" NamePartTypeID="1520"/></MasterNamePartGroup>
          <MasterNamePartGroup><NamePartGroup ID="2" NamePartTypeID="1521"/></MasterNamePartGroup>
        </NamePartGroups>
      </Identity>
      <Feature ID="1" FeatureTypeID="8"><FeatureVersion><DatePeriod>
        <Start Approximate="true"><From><Year>1962</Year><Month>1</Month><Day>1</Day></From><To><Year>1962</Year><Month>1</Month><Day>1</Day></To></Start>
        <End Approximate="true"><From><Year>1962</Year><Month>12</Month><Day>31</Day></From><To><Year>1962</Year><Month>12</Month><Day>31</Day></To></End>
      </DatePeriod></FeatureVersion></Feature>
      <Feature ID="2" FeatureTypeID="10"><FeatureVersion><VersionLocation LocationID="6"/></FeatureVersion></Feature>
      <Feature ID="3" FeatureTypeID="25"><FeatureVersion><VersionLocation LocationID="5"/><VersionLocation LocationID="7"/></FeatureVersion></Feature>
    </Profile></DistinctParty>
    <DistinctParty FixedRef="90002"><Profile ID="90002" PartySubTypeID="3">
      <Identity ID="502" Primary="true" False="false"><Alias Primary="true" LowQuality="false"><DocumentedName><DocumentedNamePart><NamePartValue NamePartGroupID="3">FICTICIA, EJEMPLO S.A.S.</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <NamePartGroups><MasterNamePartGroup><NamePartGroup ID="3" NamePartTypeID="1525"/></MasterNamePartGroup></NamePartGroups></Identity>
    </Profile></DistinctParty>
  </DistinctParties>
  <SanctionsEntries>
    <SanctionsEntry ID="1" ProfileID="90001" ListID="1550"><SanctionsMeasure SanctionsTypeID="2"><Comment/></SanctionsMeasure><SanctionsMeasure SanctionsTypeID="1"><Comment>SDNTK</Comment></SanctionsMeasure></SanctionsEntry>
    <SanctionsEntry ID="2" ProfileID="90002" ListID="1550"><SanctionsMeasure SanctionsTypeID="1"><Comment>SDGT</Comment></SanctionsMeasure></SanctionsEntry>
  </SanctionsEntries>
</Sanctions>`;

describe('the UN list', () => {
  it('is read with its alias qualities, split aliases, date kinds and documents', async () => {
    const list = await importText(UN);
    expect(list).toMatchObject({ format: 'un-xml', publishedAt: '2026-02-27T00:00:09.554Z' });
    expect(list.entries).toEqual([
      {
        id: 'QDi.990',
        kind: 'person',
        names: [
          { text: 'ABD AL-FICTICIO EJEMPLO', quality: 'primary' },
          { text: 'عبد الخيالي', quality: 'strong' },
          { text: 'Abdul Ficticio', quality: 'strong' },
          { text: 'Abdel Ficticio', quality: 'strong' },
          { text: 'Abu & Ejemplo', quality: 'weak' },
        ],
        birthDates: [
          { from: '1970-02-03', to: '1970-02-03', circa: false },
          { from: '1969-01-01', to: '1969-12-31', circa: true },
          { from: '1968-01-01', to: '1973-12-31', circa: false },
        ],
        countries: ['IR'],
        identifiers: [{ type: 'PA', country: 'PK', number: 'X1' }],
        programmes: ['Al-Qaida'],
      },
      {
        id: 'CDe.990',
        kind: 'organisation',
        names: [
          { text: 'FRENTE, FICTICIO Y EJEMPLO', quality: 'primary' },
          { text: 'FFE', quality: 'strong' },
        ],
        birthDates: [],
        countries: [],
        identifiers: [],
        programmes: ['DRC'],
      },
    ]);
    expect(list.warnings).toEqual([{ code: 'unknown_country', count: 1, examples: ['Kafiristan'] }]);
  });
});

describe('the EU list', () => {
  it('is read with an alias per spelling, ranges of years, and 00 as no country', async () => {
    const list = await importText(FSF);
    expect(list).toMatchObject({ format: 'eu-fsf-xml', publishedAt: '2026-08-14T09:00:00.000Z', warnings: [] });
    expect(list.entries).toMatchObject([
      {
        id: 'EU.9990.1',
        kind: 'person',
        names: [
          { text: 'Abd al-Ficticio Ejemplo', quality: 'primary' },
          { text: 'El Ficticio', quality: 'weak' },
          { text: 'Абд ал-Фиктивный', quality: 'strong' },
        ],
        birthDates: [
          { from: '1970-02-03', to: '1970-02-03', circa: false },
          { from: '1968-01-01', to: '1973-12-31', circa: true },
          { from: '1971-01-01', to: '1971-12-31', circa: false },
        ],
        countries: ['IR'],
        identifiers: [
          { type: 'PA', number: 'X1' },
          { type: 'National identification card', country: 'IR', number: '77' },
        ],
        programmes: ['TERR'],
      },
      { id: 'EU.9991.1', kind: 'organisation', countries: ['BY'], names: [{ text: 'FICTIVE, EXEMPLE SARL' }] },
    ]);
  });

  it('keeps one name where the same spelling stands for each language of the Union', async () => {
    const aliases = '<nameAlias wholeName="Ejemplo Ficticio" strong="true"/>'.repeat(24);
    const list = await importText(
      `<export><sanctionEntity euReferenceNumber="EU.1.1">${aliases}</sanctionEntity></export>`,
    );
    expect(list.counts).toMatchObject({ entries: 1, names: 1 });
    expect(list.records).toEqual({ sanctionEntity: 1, nameAlias: 24 });
  });
});

describe("OFAC's advanced XML", () => {
  it('is read with names in order, documents, countries and programmes joined from its tables', async () => {
    const list = await importText(ADVANCED);
    expect(list).toMatchObject({ format: 'ofac-advanced-xml', publishedAt: '2026-03-04T00:00:00.000Z', warnings: [] });
    expect(list.entries).toEqual([
      {
        id: '90001',
        kind: 'person',
        names: [
          { text: 'Ernesto FICTICIO EJEMPLO', quality: 'primary' },
          { text: 'EL FICTICIO', quality: 'weak' },
          { text: 'EJEMPLO', quality: 'strong' },
        ],
        birthDates: [{ from: '1962-01-01', to: '1962-12-31', circa: true }],
        countries: ['CO', 'VE', 'PA'],
        identifiers: [{ type: 'CC', country: 'CO', number: '1000000001' }],
        programmes: ['SDNTK'],
      },
      {
        id: '90002',
        kind: 'organisation',
        names: [{ text: 'FICTICIA, EJEMPLO S.A.S.', quality: 'primary' }],
        birthDates: [],
        countries: [],
        identifiers: [{ type: 'NIT', country: 'CO', number: '900000001-7' }],
        programmes: ['SDGT'],
      },
    ]);
  });
});

describe('an XML list that cannot be trusted', () => {
  const individual = '<INDIVIDUAL><REFERENCE_NUMBER>1</REFERENCE_NUMBER><FIRST_NAME>&x;</FIRST_NAME></INDIVIDUAL>';
  const BOMB = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY x "${'&b;'.repeat(10)}">]><CONSOLIDATED_LIST>${individual}</CONSOLIDATED_LIST>`;
  const EXTERNAL = `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><CONSOLIDATED_LIST>${individual}</CONSOLIDATED_LIST>`;

  it.each([
    ['an entity bomb', BOMB],
    ['an external entity', EXTERNAL],
    ['an external document type', `<!DOCTYPE l SYSTEM "http://127.0.0.1/x.dtd"><CONSOLIDATED_LIST/>`],
  ])('is refused for %s', async (_, content) => {
    expect(await problemOf(importText(content))).toMatchObject({ code: 'forbidden_xml' });
    expect(await problemOf(importText(content, 'un-xml'))).toMatchObject({ code: 'forbidden_xml' });
  });

  it('is refused for an entity that it does not declare', async () => {
    const content = `<CONSOLIDATED_LIST>${individual}</CONSOLIDATED_LIST>`;
    expect(await problemOf(importText(content))).toMatchObject({ code: 'malformed', line: 1 });
  });

  it.each([UN, FSF, ADVANCED])('is refused wherever it was cut', async (whole) => {
    // From behind the start tag of the root on; before it, nobody can tell what the file was going to be.
    const root = whole.indexOf('<', whole.search(/<(CONSOLIDATED_LIST|export|Sanctions)/) + 1);
    for (let at = root; at < whole.trimEnd().length; at += 97) {
      const problem = await problemOf(importText(whole.slice(0, at)));
      expect(problem.code, `cut at ${at}`).toBe('truncated');
      expect(problem.detail).toContain('Download it again');
    }
  });

  it('is refused for depth, for the size of one element, and for a tag that is never closed', async () => {
    const list = (inner: string) => `<CONSOLIDATED_LIST><INDIVIDUAL>${inner}</INDIVIDUAL></CONSOLIDATED_LIST>`;
    const deep = importText(list('<A>'.repeat(50) + '</A>'.repeat(50)));
    expect(await problemOf(deep)).toMatchObject({ code: 'too_large' });
    const limits = { limits: { maxRecordCharacters: 1000 } };
    const wide = importText(list('<FIRST_NAME>x</FIRST_NAME>'.repeat(200)), 'un-xml', limits);
    expect(await problemOf(wide)).toMatchObject({ code: 'too_large' });
    const long = importText(`<CONSOLIDATED_LIST><INDIVIDUAL a="${'x'.repeat(5000)}`, 'un-xml', limits);
    expect(await problemOf(long)).toMatchObject({ code: 'too_large' });
    const dtd = importText(`<!DOCTYPE l [${'<!ENTITY a "ha">'.repeat(500)}`, 'un-xml', limits);
    expect(await problemOf(dtd)).toMatchObject({ code: 'too_large' });
    const huge = importText(UN, 'un-xml', { limits: { maxFileBytes: 100 } });
    expect(await problemOf(huge)).toMatchObject({ code: 'too_large' });
  });

  it('is refused as the wrong format by its root', async () => {
    expect(await problemOf(importText(FSF, 'un-xml'))).toMatchObject({
      code: 'wrong_format',
      detail: 'The root element is <export>, not <CONSOLIDATED_LIST>. Check the format.',
    });
    expect(await problemOf(importText('<sdnList/>'))).toMatchObject({
      code: 'wrong_format',
      detail: expect.stringContaining('sdn_advanced.xml') as string,
    });
    expect(await problemOf(importText('<!DOCTYPE html><html></html>'))).toMatchObject({
      detail: expect.stringContaining('web page') as string,
    });
  });

  it('is refused for another encoding, declared or not', async () => {
    const declared = UN.replace('UTF-8', 'ISO-8859-1');
    expect(await problemOf(importText(declared))).toMatchObject({ code: 'wrong_encoding' });
    const latin1 = Buffer.from(FSF.replace('El Ficticio', 'Güiza Ñandú').replace(/[^\0-ÿ]/g, ''), 'latin1');
    expect(await problemOf(importText(latin1))).toMatchObject({ code: 'wrong_encoding', line: 7 });
    const utf16 = Buffer.from('\ufeff' + UN, 'utf16le');
    expect(await problemOf(importText(utf16))).toMatchObject({ code: 'wrong_encoding', line: 1 });
    expect(await problemOf(importText(Buffer.from(UN, 'utf16le')))).toMatchObject({ code: 'wrong_encoding' });
  });

  it('is refused when it holds no entry', async () => {
    const none = '<CONSOLIDATED_LIST><INDIVIDUALS/></CONSOLIDATED_LIST>';
    expect(await problemOf(importText(none))).toMatchObject({ code: 'empty' });
    expect(await problemOf(importText(''))).toMatchObject({ code: 'empty' });
    expect(await problemOf(importText(' \n', 'un-xml'))).toMatchObject({ code: 'wrong_format' });
  });
});
