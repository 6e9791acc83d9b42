/**
 * Countries and territories: ISO 3166-1 alpha-2 (XK for Kosovo, which has no code of its own there), the English name, and the
 * other names and demonyms that OFAC, the UN Security Council and the EU write in their lists. One line each.
 */
export const COUNTRY_NAMES = `
AD|Andorra
AE|United Arab Emirates|UAE|Emirati
AF|Afghanistan|Afghan|Afgan
AG|Antigua & Barbuda|Antigua and Barbuda
AI|Anguilla
AL|Albania|Albanian
AM|Armenia|Armenian
AO|Angola|Angolan
AQ|Antarctica
AR|Argentina|Argentine|Argentinian
AS|American Samoa
AT|Austria|Austrian
AU|Australia|Australian
AW|Aruba
AX|Åland Islands|Aland
AZ|Azerbaijan|Azerbaijani
BA|Bosnia & Herzegovina|Bosnia and Herzegovina|Bosnian|Bosnia-Herzegovina
BB|Barbados
BD|Bangladesh|Bangladeshi
BE|Belgium|Belgian
BF|Burkina Faso|Burkinabe
BG|Bulgaria|Bulgarian
BH|Bahrain|Bahraini
BI|Burundi|Burundian
BJ|Benin
BL|St. Barthélemy|Saint Barthelemy
BM|Bermuda
BN|Brunei|Brunei Darussalam
BO|Bolivia|Bolivia (Plurinational State of)|Plurinational State of Bolivia|Bolivian
BQ|Caribbean Netherlands|Bonaire, Sint Eustatius and Saba
BR|Brazil|Brazilian|Brasil
BS|Bahamas|Bahamas, The
BT|Bhutan
BV|Bouvet Island
BW|Botswana
BY|Belarus|Belarusian|Belarussian|Byelorussia
BZ|Belize
CA|Canada|Canadian
CC|Cocos (Keeling) Islands|Cocos Islands
CD|Congo - Kinshasa|Congo, Democratic Republic of the|Democratic Republic of the Congo|Congo (Democratic Republic of the)|DRC|Congolese (DRC)|assumed Congolese (DRC)|DR Congo|Zaire
CF|Central African Republic|Central African
CG|Congo - Brazzaville|Congo, Republic of the|Republic of the Congo|Congo|Congo (Brazzaville)|Congolese
CH|Switzerland|Swiss
CI|Côte d’Ivoire|Cote d Ivoire|Cote d'Ivoire|Ivory Coast|Ivorian
CK|Cook Islands
CL|Chile|Chilean
CM|Cameroon|Cameroonian
CN|China|People's Republic of China|Chinese|PRC
CO|Colombia|Colombian
CR|Costa Rica
CU|Cuba|Cuban
CV|Cape Verde|Cabo Verde
CW|Curaçao|Curacao|Netherlands Antilles
CX|Christmas Island
CY|Cyprus|Cypriot
CZ|Czechia|Czech Republic|Czech
DE|Germany|German|Federal Republic of Germany
DJ|Djibouti
DK|Denmark|Danish
DM|Dominica
DO|Dominican Republic|Dominican
DZ|Algeria|Algerian
EC|Ecuador|Ecuadorian
EE|Estonia|Estonian
EG|Egypt|Egyptian
EH|Western Sahara
ER|Eritrea|Eritrean
ES|Spain|Spanish|España
ET|Ethiopia|Ethiopian
FI|Finland|Finnish
FJ|Fiji
FK|Falkland Islands|Falkland Islands (Malvinas)
FM|Micronesia|Micronesia (Federated States of)|Micronesia, Federated States of
FO|Faroe Islands
FR|France|French
GA|Gabon
GB|United Kingdom|United Kingdom of Great Britain and Northern Ireland|British|Great Britain|UK
GD|Grenada
GE|Georgia|Georgian
GF|French Guiana
GG|Guernsey
GH|Ghana|Ghanaian
GI|Gibraltar
GL|Greenland
GM|Gambia|The Gambia|Gambia, The|Gambian
GN|Guinea|Guinean
GP|Guadeloupe
GQ|Equatorial Guinea
GR|Greece|Greek|Hellenic Republic
GS|South Georgia & South Sandwich Islands|South Georgia
GT|Guatemala|Guatemalan
GU|Guam
GW|Guinea-Bissau|Guinea Bissau
GY|Guyana
HK|Hong Kong SAR China|Hong Kong|China, Hong Kong Special Administrative Region|Hong Kong, China|Hong Kong SAR
HM|Heard & McDonald Islands
HN|Honduras|Honduran
HR|Croatia|Croatian
HT|Haiti|Haitian
HU|Hungary|Hungarian
ID|Indonesia|Indonesian
IE|Ireland|Irish
IL|Israel|Israeli
IM|Isle of Man|Man, Isle of
IN|India|Indian
IO|British Indian Ocean Territory
IQ|Iraq|Iraqi
IR|Iran|Iran (Islamic Republic of)|Iran, Islamic Republic of|Islamic Republic of Iran|Iranian
IS|Iceland|Icelandic
IT|Italy|Italian
JE|Jersey
JM|Jamaica|Jamaican
JO|Jordan|Jordanian
JP|Japan|Japanese
KE|Kenya|Kenyan
KG|Kyrgyzstan|Kyrgyz|Kyrgyz Republic|Kyrgyzstani
KH|Cambodia|Cambodian
KI|Kiribati
KM|Comoros
KN|St. Kitts & Nevis|Saint Kitts and Nevis|St Kitts and Nevis
KP|North Korea|Korea, North|Democratic People's Republic of Korea|Democratic People's Republic of Korea (DPRK)|Korea (Democratic People's Republic of)|Korea, Democratic People's Republic of|DPRK|North Korean
KR|South Korea|Korea, South|Republic of Korea|Korea, Republic of|Korea (Republic of)|South Korean
KW|Kuwait|Kuwaiti
KY|Cayman Islands
KZ|Kazakhstan|Kazakh|Kazakhstani
LA|Laos|Lao PDR|Lao People's Democratic Republic|Laotian
LB|Lebanon|Lebanese
LC|St. Lucia|Saint Lucia
LI|Liechtenstein
LK|Sri Lanka|Sri Lankan
LR|Liberia|Liberian
LS|Lesotho
LT|Lithuania|Lithuanian
LU|Luxembourg
LV|Latvia|Latvian
LY|Libya|Libyan Arab Jamahiriya|Libyan|State of Libya
MA|Morocco|Moroccan
MC|Monaco
MD|Moldova|Republic of Moldova|Moldova, Republic of|Moldovan|of the Republic of Moldova
ME|Montenegro|Montenegrin
MF|St. Martin|Saint Martin
MG|Madagascar
MH|Marshall Islands
MK|North Macedonia|North Macedonia, The Republic of|Republic of North Macedonia|Macedonia, The Former Yugoslav Republic of|The former Yugoslav Republic of Macedonia|Macedonia|Macedonian
ML|Mali|Malian
MM|Myanmar (Burma)|Burma|Myanmar|Myanmar/Burma|Burmese
MN|Mongolia
MO|Macao SAR China|Macau|Macao|China, Macao Special Administrative Region
MP|Northern Mariana Islands
MQ|Martinique
MR|Mauritania|Mauritanian
MS|Montserrat
MT|Malta|Maltese
MU|Mauritius
MV|Maldives
MW|Malawi
MX|Mexico|Mexican|México
MY|Malaysia|Malaysian
MZ|Mozambique|Mozambican
NA|Namibia
NC|New Caledonia
NE|Niger|Nigerien
NF|Norfolk Island
NG|Nigeria|Nigerian
NI|Nicaragua|Nicaraguan
NL|Netherlands|Netherlands, The|Dutch|Kingdom of the Netherlands|Netherlands (Kingdom of the)
NO|Norway|Norwegian
NP|Nepal
NR|Nauru
NU|Niue
NZ|New Zealand|New Zealander
OM|Oman|Omani
PA|Panama|Panamanian|Panamá
PE|Peru|Peruvian|Perú
PF|French Polynesia
PG|Papua New Guinea
PH|Philippines|Filipino|Philippine
PK|Pakistan|Pakistani
PL|Poland|Polish
PM|St. Pierre & Miquelon|Saint Pierre and Miquelon
PN|Pitcairn Islands|Pitcairn
PR|Puerto Rico
PS|Palestinian Territories|Palestinian|State of Palestine|Palestinian Territory|Palestinian Authority|Palestine|Occupied Palestinian Territory|West Bank|Gaza|Gaza Strip|North Gaza|Northern Gaza
PT|Portugal|Portuguese
PW|Palau
PY|Paraguay|Paraguayan
QA|Qatar|Qatari
RE|Réunion
RO|Romania|Romanian
RS|Serbia|Serbian|Republic of Serbia
RU|Russia|Russian Federation|Russian
RW|Rwanda|Rwandan
SA|Saudi Arabia|Saudi Arabian|Saudi|Kingdom of Saudi Arabia
SB|Solomon Islands
SC|Seychelles
SD|Sudan|Sudanese|The Sudan
SE|Sweden|Swedish
SG|Singapore|Singaporean
SH|St. Helena|Saint Helena
SI|Slovenia|Slovenian
SJ|Svalbard & Jan Mayen|Svalbard and Jan Mayen
SK|Slovakia|Slovak|Slovak Republic
SL|Sierra Leone
SM|San Marino
SN|Senegal|Senegalese
SO|Somalia|Somali
SR|Suriname
SS|South Sudan|South Sudanese
ST|São Tomé & Príncipe|Sao Tome and Principe
SV|El Salvador|Salvadoran
SX|Sint Maarten
SY|Syria|Syrian Arab Republic|Syrian|Syrian (presumed)
SZ|Eswatini|Swaziland
TC|Turks & Caicos Islands|Turks and Caicos Islands
TD|Chad|Chadian
TF|French Southern Territories
TG|Togo|Togolese
TH|Thailand|Thai
TJ|Tajikistan|Tajik|Tajikistani
TK|Tokelau
TL|Timor-Leste|East Timor
TM|Turkmenistan|Turkmen
TN|Tunisia|Tunisian
TO|Tonga
TR|Türkiye|Turkey|Turkish|Republic of Turkey
TT|Trinidad & Tobago|Trinidad and Tobago|Trinidadian
TV|Tuvalu
TW|Taiwan|Taiwanese|Taiwan, Province of China|Chinese Taipei
TZ|Tanzania|United Republic of Tanzania|Tanzania, United Republic of|Tanzanian
UA|Ukraine|Ukrainian|Crimea
UG|Uganda|Ugandan
UM|U.S. Outlying Islands
US|United States|United States of America|American|USA|U.S.A.|U.S.
UY|Uruguay|Uruguayan
UZ|Uzbekistan|Uzbek|Uzbekistani
VA|Vatican City|Holy See|Vatican
VC|St. Vincent & Grenadines|Saint Vincent and the Grenadines|St. Vincent and the Grenadines
VE|Venezuela|Venezuela (Bolivarian Republic of)|Venezuela, Bolivarian Republic of|Bolivarian Republic of Venezuela|Venezuelan
VG|British Virgin Islands|Virgin Islands, British|Virgin Islands (UK)|Virgin Islands (British)
VI|U.S. Virgin Islands|Virgin Islands, U.S.|United States Virgin Islands
VN|Vietnam|Viet Nam|Vietnamese
VU|Vanuatu
WF|Wallis & Futuna|Wallis and Futuna
WS|Samoa
XK|Kosovo|Kosovar
YE|Yemen|Yemeni|Republic of Yemen
YT|Mayotte
ZA|South Africa|South African
ZM|Zambia|Zambian
ZW|Zimbabwe|Zimbabwean
`;
