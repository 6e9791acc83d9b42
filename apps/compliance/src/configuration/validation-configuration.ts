import type { Acting } from '@constancia/contracts';
import { checked } from '@constancia/http';
import { canonicalJson, isSamePerson, typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { lintRules, type Rule } from '@constancia/rule-graph';
import type { AppliedChange, ConfigurationChange, ConfigurationKind } from '@constancia/tenant-export';
import { IsArray, IsString, Length, Matches, MaxLength, ArrayMaxSize, IsOptional } from 'class-validator';
import { checkedRule } from '../rules/rule-problems.ts';
import { settingsOf } from '../settings/compliance-settings.ts';
import { publish, publishByTwo } from '../validations/publish-validation.ts';
import { addRules, columnsOf, MOST_RULES, rulesHash, rulesOf } from '../validations/stored-rules.ts';
import { publicationAudit } from '../validations/validation-audit.ts';
import { CODE } from '../validations/validation-body.ts';
import type { ValidationRow } from '../validations/validation-view.ts';
import { addDraft, listValidations, lockCode, lockValidation } from '../validations/validations.ts';

class ValidationFile {
  @IsString()
  @Matches(CODE)
  code: string;

  @IsString()
  @Length(1, 120)
  name: string;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsArray()
  @ArrayMaxSize(MOST_RULES)
  rules: unknown[];
}

interface ValidationContent {
  code: string;
  name: string;
  description?: string;
  rules: Required<Rule>[];
}

type Change = ConfigurationChange<ValidationContent>;

/** An archive holds fewer files: with more an export is refused. */
const CODES = 1_000;

const WAITING = 'A second person has to publish it: another member, or another import of this archive by them.';

/** Published validations with their rules, by code. */
export class ValidationConfiguration implements ConfigurationKind<ValidationContent> {
  readonly folder = 'validations';

  constructor(
    private readonly tenantId: string,
    private readonly acting: Acting,
  ) {}

  async current(tx: Tx): Promise<Map<string, ValidationContent>> {
    const rows = await listValidations(tx, this.tenantId, { status: 'published', limit: CODES });
    const found = new Map<string, ValidationContent>();
    for (const row of rows) found.set(row.code, await this.contentOf(tx, row));
    return found;
  }

  read(file: unknown, name: string): ValidationContent {
    const { code, name: title, description, rules } = checked(file as object, ValidationFile, '');
    const errors: FieldError[] = [];
    if (code !== name)
      errors.push({ pointer: '/code', code: 'not_allowed', detail: 'The file must be named after it.' });
    const read = rules.flatMap((rule, at) => ruleOf(rule, `/rules/${at}`, errors));
    if (rules.length === 0) errors.push({ pointer: '/rules', code: 'required', detail: 'Must have a rule.' });
    if (errors.length === 0) {
      errors.push(...lintRules(read).errors.map((error) => ({ ...error, pointer: `/rules${error.pointer}` })));
    }
    if (errors.length > 0) throw new ValidationError(errors);
    return { code, name: title, ...(description && { description }), rules: read };
  }

  async lock(tx: Tx, names: readonly string[]): Promise<void> {
    for (const code of names) await lockCode(tx, this.tenantId, code);
  }

  /** With publish_four_eyes: what this person has published already waits for a second person. */
  async review(tx: Tx, changes: Change[]): Promise<void> {
    if (!(await settingsOf(tx, this.tenantId)).publish_four_eyes) return;
    for (const change of changes) {
      const draft = await this.waitingDraft(tx, change.after);
      change.note = WAITING;
      if (draft?.publication && isSamePerson(draft.publication, this.acting)) change.isWaiting = true;
      else if (draft?.publication) delete change.note;
    }
  }

  async apply(tx: Tx, { after }: Change): Promise<AppliedChange> {
    const { tenantId, acting } = this;
    const settings = await settingsOf(tx, tenantId);
    const waiting = settings.publish_four_eyes ? await this.waitingDraft(tx, after) : undefined;
    const draft = waiting ?? (await this.newDraft(tx, after));
    const row = settings.publish_four_eyes ? publishByTwo(tx, draft, acting, settings) : publish(tx, draft);
    return { audit: { ...publicationAudit(await row), onBehalfOf: acting.by.on_behalf_of } };
  }

  private async newDraft(tx: Tx, { rules, code, name, description }: ValidationContent): Promise<ValidationRow> {
    const { id } = await addDraft(tx, this.tenantId, { code, name, description: description ?? null });
    await addRules(tx, this.tenantId, id, rules);
    return lockValidation(tx, this.tenantId, typeId('val', id));
  }

  /** The newest draft of the code, if it has this content and one person has published it. */
  private async waitingDraft(tx: Tx, wanted: ValidationContent): Promise<ValidationRow | undefined> {
    const { code } = wanted;
    const [draft] = await listValidations(tx, this.tenantId, { status: 'draft', code, limit: 1 });
    if (draft?.publication?.rules_hash !== rulesHash(wanted.rules).toString('hex')) return undefined;
    return canonicalJson(await this.contentOf(tx, draft)) === canonicalJson(wanted) ? draft : undefined;
  }

  private async contentOf(tx: Tx, { id, code, name, description }: ValidationRow): Promise<ValidationContent> {
    const rules = (await rulesOf(tx, this.tenantId, id)).map(columnsOf);
    return { code, name, ...(description && { description }), rules };
  }
}

function ruleOf(rule: unknown, pointer: string, errors: FieldError[]): Required<Rule>[] {
  try {
    return [columnsOf(checkedRule(rule).rule)];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })));
    return [];
  }
}
