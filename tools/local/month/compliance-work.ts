import { LISTED, MEMBERS, type Person } from './people.ts';
import { answered, type Shop, until } from './shop.ts';

const CODE = 'clientes';
const { analyst, supervisor } = MEMBERS;
/** Headers are written as Latin-1, and names are sent as UTF-8. */
const as = (actor: string) => ({ headers: { 'X-Actor': Buffer.from(actor).toString('latin1') } });

/** Rules and lists in use; two people decide about every case. */
export async function prepareCompliance({ compliance }: Shop): Promise<void> {
  const { id } = await answered(
    compliance.POST('/v1/validations', { body: { code: CODE, name: 'SARLAFT, clientes' } }),
  );
  await answered(compliance.POST('/v1/rules/seed-defaults', { body: { validation_id: id, subject_type: 'both' } }));
  await answered(compliance.POST('/v1/validations/{id}/publish', { params: { path: { id } } }));
  await answered(compliance.PUT('/v1/compliance-settings', { body: { four_eyes: 'all', trusted_actor: true } }));
}

/** Screens a person; answers the id of the case that it opened, or null. */
export async function screen({ compliance }: Shop, person: Person, amount = 2_500_000): Promise<string | null> {
  const body = {
    validation_code: CODE,
    subject_ref: `cliente-${person.document.slice(-5)}`,
    subject_type: 'natural' as const,
    payload: {
      ...{ full_name: person.name, birth_date: person.born, country_code: person.country ?? 'CO' },
      ...(person.country ? {} : { document_type: 'CC' as const, document_number: person.document }),
      ...{ amount, currency: 'COP' },
    },
  };
  return (await answered(compliance.POST('/v1/screenings', { body }))).case_id;
}

type Decision = 'approve' | 'reject' | 'false_positive' | 'true_match';

/** What people do with a case, one after another. */
class CaseWork {
  constructor(
    private readonly shop: Shop,
    private readonly id: string,
  ) {}

  static async open(shop: Shop, person: Person): Promise<CaseWork> {
    const id = await screen(shop, person, 18_000_000);
    if (!id) throw new Error(`no case about ${person.name}: are the lists of this stack not those of a sandbox?`);
    return new CaseWork(shop, id);
  }

  private get params() {
    return { path: { id: this.id } };
  }

  async take(): Promise<this> {
    const options = { params: this.params, body: { assignee: analyst }, ...as(analyst) };
    await answered(this.shop.compliance.POST('/v1/cases/{id}/assign', options));
    return this;
  }

  async say(body: string, actor: string = analyst): Promise<this> {
    await answered(
      this.shop.compliance.POST('/v1/cases/{id}/comment', { params: this.params, body: { body }, ...as(actor) }),
    );
    return this;
  }

  async escalate(reason: string): Promise<this> {
    const options = { params: this.params, body: { reason }, ...as(analyst) };
    await answered(this.shop.compliance.POST('/v1/cases/{id}/escalate', options));
    return this;
  }

  async propose(decision: Decision, reason: string): Promise<this> {
    const body = { decision, reason, discriminating_data: ['birth_date' as const] };
    await answered(this.shop.compliance.POST('/v1/cases/{id}/resolve', { params: this.params, body, ...as(analyst) }));
    return this;
  }

  async confirm(): Promise<this> {
    await answered(this.shop.compliance.POST('/v1/cases/{id}/confirm', { params: this.params, ...as(supervisor) }));
    return this;
  }

  async reopen(reason: string): Promise<this> {
    const options = { params: this.params, body: { reason }, ...as(supervisor) };
    await answered(this.shop.compliance.POST('/v1/cases/{id}/reopen', options));
    return this;
  }
}

/** The lists are loaded by every process of its own, soon after it started. */
export async function whenListsAreLoaded(shop: Shop, someone: Person): Promise<void> {
  await until('loading the lists', () => screen(shop, someone).then(() => true, () => undefined), 60_000); // prettier-ignore
}

/** What happens with the cases, by the days ago on which they are opened. Later days find them older, so some are overdue today. */
export const CASES: Record<number, (shop: Shop) => Promise<unknown>> = {
  27: async (shop) => {
    const work = await CaseWork.open(shop, LISTED.surelyOfac);
    await work.take();
    await work.say('El número de documento es el de la lista.');
    await (await work.propose('true_match', 'Misma persona: coinciden nombre, fecha y documento.')).confirm();
  },
  24: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.formerGovernor)).take();
    await (await work.propose('false_positive', 'Nació en otro año y nunca fue gobernador.')).confirm();
  },
  20: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.formerMinister)).take();
    await (await work.propose('approve', 'Dejó el cargo; el origen de los fondos está soportado.')).confirm();
    await work.reopen('Llegó una actualización de la lista de PEP.');
  },
  17: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.another)).take();
    await (await work.propose('reject', 'No se pudo descartar la coincidencia con la lista de la ONU.')).confirm();
  },
  11: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.namesakeEu)).take();
    await work.say('Se pidió copia del pasaporte al cliente.');
  },
  8: (shop) => CaseWork.open(shop, LISTED.judge),
  4: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.politician)).take();
    await work.escalate('Es PEP en ejercicio: decide el oficial de cumplimiento.');
  },
  1: async (shop) => {
    const work = await (await CaseWork.open(shop, LISTED.namesakeOfac)).take();
    await work.propose('false_positive', 'Homónima: otra fecha de nacimiento y otro documento.');
    await (await CaseWork.open(shop, LISTED.surelyEu)).take();
  },
  0: (shop) => CaseWork.open(shop, LISTED.namesakeUn),
};
