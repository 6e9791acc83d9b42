/** Invented people, the same ones every time: names as people in Colombia and elsewhere have them, put together at random. */
const NAMES: Record<string, { given: string; middle?: string; family: string; share: number; families: number }> = {
  colombia: {
    share: 60,
    families: 2,
    given: `maria juan carlos luz ana jose luis sandra andres diana camila santiago valentina daniel paola jorge martha felipe laura nicolas isabella
      mateo sofia sebastian mariana alejandro daniela david angela julian carolina oscar natalia miguel claudia hernan gloria fabio patricia german yolanda
      wilson adriana nelson esperanza edgar milena jairo beatriz alvaro cecilia gustavo liliana rodrigo amparo yeison leidy brayan yuliana duvan karen
      jhon tatiana robinson marleny arnulfo dioselina eliecer aracely ovidio ruby saulo`,
    family: `rodriguez gomez gonzalez garcia martinez lopez hernandez sanchez ramirez perez diaz torres rojas moreno munoz vargas gutierrez jimenez castro ortiz
      alvarez ruiz suarez romero valencia herrera cardona ospina restrepo giraldo osorio mejia morales quintero castillo florez reyes cruz guerrero rivera medina parra
      agudelo arango arias betancur bedoya buitrago cano cardenas castano correa delgado duque escobar franco gallego galvis henao hoyos jaramillo londono marin
      mesa montoya mosquera naranjo orozco patino pineda pinzon posada quiceno rincon salazar serna tabares toro uribe usuga velez villa yepes zapata zuluaga
      chiquillo guasca tunjano cuaspud chindoy ipuana epieyu quiguanas taborda cifuentes bocanegra barragan riveros pedraza nemocon`,
  },
  english: {
    share: 20,
    families: 1,
    given: `james mary john patricia robert jennifer michael linda william elizabeth david barbara richard susan joseph jessica thomas sarah charles karen
      emma olivia noah liam ethan ava mason chloe logan grace tyler megan dylan amber kyle brooke trevor paige spencer whitney`,
    family: `smith johnson williams brown jones miller davis wilson anderson taylor thomas moore martin lee thompson white harris clark lewis robinson walker young
      hall wright hill baker nelson carter mitchell turner phillips parker evans edwards collins stewart murphy cook rogers daniels hawkins webster ballard
      prescott whitfield ashworth holloway pemberton lockhart`,
  },
  other: {
    share: 20,
    families: 1,
    given: `pierre camille giulia matteo hans greta lars ingrid joao beatriz thiago priya arjun ravi ananya kenji yuki haruto minh linh ahmed fatima yusuf
      layla omar nadia tomasz agnieszka pavel irina dmitri olga alexei svetlana kofi ama chinedu ngozi thabo zanele mehmet elif`,
    family: `dupont lefebvre moreau rossi bianchi ferrari muller schneider weber hansen nilsson silva oliveira pereira sharma patel gupta iyer tanaka yamamoto nakamura
      nguyen pham mansour haddad khalil nowak kowalska novak sokolov orlova vasiliev mensah owusu okafor adeyemi nkosi dlamini yilmaz kaya demir aydin`,
  },
};

export interface Person {
  fullName: string;
  birthDate: string;
}

/** Random numbers, 0 up to 1, the same after the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value = (value + Math.imul(value ^ (value >>> 7), value | 61)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function* syntheticPeople(count: number, seed = 1): Generator<Person> {
  const random = randomNumbers(seed);
  const regions = Object.values(NAMES).map((region) => ({
    ...region,
    given: region.given.trim().split(/\s+/),
    family: region.family.trim().split(/\s+/),
  }));
  const one = (from: string[]) => from[Math.floor(random() * from.length)] as string;
  for (let nth = 0; nth < count; nth++) {
    let share = random() * 100;
    const region = regions.find((each) => (share -= each.share) < 0) ?? (regions[0] as (typeof regions)[number]);
    const given = random() < 0.5 ? [one(region.given)] : [one(region.given), one(region.given)];
    const families = Array.from({ length: region.families === 2 && random() < 0.85 ? 2 : 1 }, () => one(region.family));
    const day = new Date(
      Date.UTC(1940 + Math.floor(random() * 66), Math.floor(random() * 12), 1 + Math.floor(random() * 28)),
    );
    yield { fullName: [...given, ...families].join(' '), birthDate: day.toISOString().slice(0, 10) };
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A name with so many typing errors: a letter more, less, another, or two swapped; anywhere but at spaces. */
export function withTypos(name: string, typos: number, random: () => number): string {
  let text = name;
  for (let typo = 0; typo < typos; typo++) {
    const places = [...text].flatMap((letter, at) => (/\p{L}/u.test(letter) ? [at] : []));
    const at = places[Math.floor(random() * places.length)] ?? 0;
    const letter = LETTERS[Math.floor(random() * 26)] as string;
    const kind = Math.floor(random() * 4);
    if (kind === 0) text = text.slice(0, at) + letter + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1);
    else if (kind === 2) text = text.slice(0, at) + letter + text.slice(at + 1);
    else if (/\p{L}/u.test(text[at + 1] ?? '')) text = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  }
  return text;
}
