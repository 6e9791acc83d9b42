/** Everybody here is invented, as are their numbers. Who is on a list is on the sandbox's own lists, on which nobody exists either. */
export interface Person {
  name: string;
  document: string;
  born: string;
  /** Of residence; Colombia unless given. */
  country?: string;
}

export const MEMBERS = {
  analyst: 'Valentina Ruiz Ejemplo',
  supervisor: 'Hernán Castaño Ejemplo',
  sender: 'Laura Quintero Ejemplo',
} as const;

export const CUSTOMERS: readonly Person[] = [
  ['Paola Andrea Restrepo Zuluaga', '1040111001', '1988-03-12'],
  ['Julián David Cárdenas Peña', '1040111002', '1979-11-02'],
  ['Ximena Güiza Ñáñez', '1040111003', '1993-07-24'],
  ['Óscar Iván Bermúdez Tovar', '1040111004', '1966-01-30'],
  ['Luz Marina Palacio Henao', '1040111005', '1971-05-09'],
  ['Mateo Arango Vélez', '1040111006', '1999-12-18'],
  ['Diana Carolina Mosquera Rentería', '1040111007', '1984-08-15'],
  ['Édgar Yesid Pinilla Cruz', '1040111008', '1975-04-21'],
  ['Natalia Sofía Londoño Gil', '1040111009', '1996-10-06'],
  ['Wilson Fernando Chaparro Niño', '1040111010', '1982-02-27'],
  ['Adriana Lucía Montes Oviedo', '1040111011', '1990-09-13'],
  ['Santiago Barrera Acuña', '1040111012', '2001-06-03'],
  ['María José Villamizar Duarte', '1040111013', '1987-12-29'],
  ['Jhon Jairo Asprilla Córdoba', '1040111014', '1978-07-17'],
].map(([name, document, born]) => ({ name, document, born }) as Person);

/** Found on a list, from a sure match to a namesake. */
export const LISTED = {
  surelyOfac: { name: 'Ernesto Fictisio Ejemplo', document: '1000000001', born: '1962-04-17' },
  namesakeOfac: { name: 'Marina Inventada Ficticia', document: '1040222001', born: '1975-06-30' },
  politician: { name: 'Aurelio Ficticio Ejemplar', document: '1000000011', born: '1955-09-30' },
  formerMinister: { name: 'Camila Inventada Ejemplo', document: '1040222002', born: '1971-02-03' },
  formerGovernor: { name: 'Hernando Ficticio Inventado', document: '1040222003', born: '1948-10-10' },
  judge: { name: 'Lucía Ejemplo de Ficticio', document: '1040222004', born: '1983-01-22' },
  namesakeEu: { name: 'Yasmina Ficticia al-Ejemplo', document: '1040222005', born: '1981-03-03', country: 'SY' },
  surelyEu: { name: 'Aleksandr Fiktivnyi Obraztsov', document: '1040222006', born: '1972-07-08', country: 'RU' },
  namesakeUn: { name: 'Kim Fictisong Ejemplo', document: '1040222007', born: '1966-01-01', country: 'KP' },
  another: { name: 'Abdul Ficticio Al Ejemplo', document: '1040222008', born: '1970-05-05', country: 'IQ' },
} as const satisfies Record<string, Person>;

/** The address of an invented person: mails to it stay in the mailbox of the local stack. */
export const mailOf = (name: string): string => `${plain(name)}@clientes.example`;

function plain(name: string): string {
  return name.normalize('NFD').replace(/[^a-z ]/gi, '').trim().toLowerCase().replaceAll(' ', '.'); // prettier-ignore
}
