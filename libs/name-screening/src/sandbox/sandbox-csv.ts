/**
 * The lists of a sandbox, as plain CSV. Nobody on them exists: every name says so (Ficticio, Ejemplo, Inventada), and the
 * documents are made up. Real lists are imported by the operator (docs/guides/lists.md).
 */
export const SANDBOX_CSV = {
  OFAC: `id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes
SBX-OFAC-1,person,Ernesto Ficticio Ejemplo,Ernesto Fictisio Exemplo; Ernesto F. Ejemplo,El Ficticio,1962-04-17,CO,CC:CO:1000000001,SDNTK
SBX-OFAC-2,person,Marina Inventada Ficticia,Marina Inventada de Ejemplo,,1975,CO; VE,CC:CO:1000000002; PA:CO:ZZ000002,SDNTK
SBX-OFAC-3,person,Viktor Fiktivny Primerov,Victor Fiktivni Primerov; Виктор Фиктивный Примеров,,circa 1958,RU,PA:RU:000000003,UKRAINE-EO13662
SBX-OFAC-4,organisation,Comercializadora Ficticia del Ejemplo S.A.S.,Cofieje S.A.S.,,,CO,NIT:CO:900000001-7,SDNTK
SBX-OFAC-5,organisation,Fictional Example Trading LLC,FET LLC,,,PA,,SDGT
SBX-OFAC-6,vessel,MV Ejemplo Ficticio,,,,PA,IMO:0000006,IRAN
`,
  ONU: `id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes
SBX-ONU-1,person,Abd al-Ficticio al-Ejemplo,Abdul Ficticio Al Ejemplo; Abdel Ficticio Elejemplo,Abu Ejemplo,1969 to 1971,IQ,PA:IQ:X0000001,Al-Qaida
SBX-ONU-2,person,Kim Fictisong Ejemplo,Kim Fictisong,,1966-01-01,KP,PA:KP:X0000002,DPRK
SBX-ONU-3,person,Jean Fictif Exemple,Jean-Fictif Exemple,,circa 1980,CD,,DRC
SBX-ONU-4,organisation,Frente Ficticio de Ejemplo,FFE; Fictional Example Front,,,SO,,Al-Shabaab
SBX-ONU-5,organisation,Fictional Example Shipping Company Ltd,,,,KP,,DPRK
`,
  PEP: `id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes,role,role_until
SBX-PEP-1,person,Aurelio Ficticio Ejemplar,Aurelio Ficticio,,1955-09-30,CO,CC:CO:1000000011,,Senador de ejemplo,
SBX-PEP-2,person,Camila Inventada Ejemplo,,,1971-02-03,CO,CC:CO:1000000012,,Ministra de ejemplo,2025-08-06
SBX-PEP-3,person,Hernando Ficticio Inventado,,,1948,CO,,,Gobernador de ejemplo,2015-12-31
SBX-PEP-4,person,Lucía Ejemplo de Ficticio,Lucia Ejemplo,,1983,CO,,,Magistrada de ejemplo,
SBX-PEP-5,person,John Fictional Example,,,1960-11-11,US,,,Senator of an example,
`,
  EU_SANCTIONS: `id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes
SBX-EU-1,person,Aleksandr Fiktivnyi Obraztsov,Alexander Fictivny Obrazcov; Александр Фиктивный Образцов,,1972-07-08,RU,PA:RU:000000021,UKR
SBX-EU-2,person,Yasmina Ficticia al-Ejemplo,,,1980 to 1982,SY,,SYR
SBX-EU-3,person,Dieter Fiktiv Beispiel,,Der Beispielhafte,1990,DE,,TERR
SBX-EU-4,organisation,Société Fictive d'Exemple SARL,Fictive Exemple; Fictional Example Company,,,BY,,BLR
SBX-EU-5,organisation,OOO Fiktivny Primer,Limited Liability Company Fictional Example; ООО «Фиктивный пример»,,,RU,INN:RU:0000000025,UKR
`,
} as const;
