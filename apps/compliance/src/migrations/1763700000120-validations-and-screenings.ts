import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const VALIDATION = `
  create table compliance.validation (
    id uuid primary key,
    tenant_id uuid not null,
    code text not null,
    name text not null,
    description text,
    status text not null default 'draft',
    version integer not null,
    rules_hash bytea,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    published_at timestamptz,
    deprecated_at timestamptz,
    constraint validation_version_key unique (tenant_id, code, version),
    constraint validation_status check (status in ('draft', 'published', 'deprecated')),
    constraint validation_hash_once_published check ((status = 'draft') = (rules_hash is null))
  )`;

const RULE = `
  create table compliance.rule (
    id uuid primary key,
    tenant_id uuid not null,
    validation_id uuid not null references compliance.validation,
    code text not null,
    severity text not null,
    score integer not null,
    subject_type text not null,
    description text,
    position bigint not null default 0,
    definition jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint rule_code_key unique (validation_id, code)
  )`;

/** What was published stays as it was: stored screenings are replayed from it. Only drafts have rules that change. */
const RULES_OF_DRAFTS_ONLY = `
  create function compliance.refuse_unless_draft() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    if exists (select 1 from validation v where v.id = coalesce(new.validation_id, old.validation_id) and v.status <> 'draft')
    then
      raise exception 'the validation is no draft' using errcode = 'CN409';
    end if;
    return coalesce(new, old);
  end $$;
  create trigger rule_of_draft before insert or update or delete on compliance.rule
    for each row execute function compliance.refuse_unless_draft();
  revoke all on function compliance.refuse_unless_draft from public`;

/**
 * One row per screening, never changed. \`facts\`: everything that the evaluation saw (Facts of libs/rule-graph, the payload in
 * it). \`dismissed\`: hits that an analyst's false-positive decision took out. \`names_not_compared\`: fields of names that no list
 * could be searched for. \`result\`: the outcome as canonical JSON, to the
 * byte. \`request_id\`: of the identity module, which may ask twice.
 */
const SCREENING = `
  create table compliance.screening (
    id uuid primary key,
    tenant_id uuid not null,
    validation_id uuid not null,
    validation_code text not null,
    validation_version integer not null,
    rules_hash bytea not null,
    subject_ref text not null,
    subject_type text not null,
    trigger text not null default 'api',
    request_id uuid,
    decision text not null,
    score bigint not null,
    list_hits text[] not null,
    facts jsonb not null,
    dismissed jsonb not null default '[]',
    names_not_compared text[] not null default '{}',
    result text not null,
    list_versions jsonb not null,
    matcher_version text not null,
    evaluator_version integer not null,
    case_id uuid,
    credits_debited integer not null,
    created_at timestamptz not null,
    constraint screening_request_key unique (tenant_id, request_id),
    constraint screening_trigger check (trigger in ('api', 'list_update', 'identity')),
    constraint screening_decision check (decision in ('approve', 'review', 'reject'))
  )`;

const INDEXES = [
  `create unique index validation_one_published on compliance.validation (tenant_id, code) where status = 'published'`,
  `create index validation_list on compliance.validation (tenant_id, id)`,
  `create index rule_of_validation on compliance.rule (validation_id, position, code)`,
  // Keyset lists, newest first; an approved screening is the rule, so that filter reads the first index and skips the others.
  `create index screening_list on compliance.screening (tenant_id, id)`,
  `create index screening_of_subject on compliance.screening (tenant_id, subject_ref, id)`,
  `create index screening_of_code on compliance.screening (tenant_id, validation_code, id)`,
  `create index screening_noticed on compliance.screening (tenant_id, decision, id) where decision <> 'approve'`,
];

/**
 * What a screening needs to know before it can be made: the published validation of the code, and, when p_since (a UUIDv7) is
 * given, the subject's earlier screenings since then, at most 1,000. Found by key whatever the statistics say.
 */
const SCREENING_CONTEXT = `
  create function compliance.screening_context(
    p_tenant_id uuid, p_code text, p_subject_type text, p_subject_ref text, p_since uuid
  ) returns jsonb
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  declare
    published jsonb;
    earlier jsonb;
  begin
    select jsonb_build_object('id', v.id, 'version', v.version) into published
      from validation v where v.tenant_id = p_tenant_id and v.code = p_code and v.status = 'published';
    if p_since is not null and p_subject_ref is not null then
      select coalesce(jsonb_agg(jsonb_build_object('decision', e.decision, 'trigger', e.trigger, 'at', e.created_at) order by e.id), '[]')
        into earlier
        from (select s.id, s.decision, s.trigger, s.created_at from screening s
               where s.tenant_id = p_tenant_id and s.subject_ref = p_subject_ref and s.subject_type = p_subject_type
                 and s.id >= p_since
               order by s.id desc limit 1000) e;
    end if;
    return jsonb_build_object('published', published, 'earlier', earlier);
  end $$;
  revoke all on function compliance.screening_context from public;
  grant execute on function compliance.screening_context to compliance_app;`;

export class ValidationsAndScreenings1763700000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      VALIDATION,
      tenantTable('compliance', 'validation'),
      RULE,
      tenantTable('compliance', 'rule', ['select', 'insert', 'update', 'delete']),
      RULES_OF_DRAFTS_ONLY,
      SCREENING,
      tenantTable('compliance', 'screening', ['select']),
      ...INDEXES,
      SCREENING_CONTEXT,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table compliance.screening, compliance.rule, compliance.validation`);
    await runner.query(`drop function compliance.screening_context, compliance.refuse_unless_draft`);
  }
}
