output "database_endpoint" {
  description = "Host and port of PostgreSQL, for ADMIN_DATABASE_URL of the bootstrap (database constancia, ?sslmode=verify-full)."
  value       = aws_db_instance.postgres.endpoint
}

output "database_replica_host" {
  description = "Host of the replica, for replica.server of the values and DATABASE_REPLICA_URL; null without one."
  value       = one(aws_db_instance.replica[*].address)
}

output "database_admin_secret" {
  description = "ARN of the administrator's name and password in Secrets Manager."
  value       = aws_db_instance.postgres.master_user_secret[0].secret_arn
}

output "redis_host" {
  description = "Host of Redis, for REDIS_URL: rediss://:<redis_auth_token>@<host>:6379."
  value       = aws_elasticache_replication_group.redis.primary_endpoint_address
}

output "role_arns" {
  description = "Roles of the modules, as their ServiceAccounts name them."
  value       = { for module, role in aws_iam_role.module : module => role.arn }
}

output "aws" {
  description = "The section aws of the values file."
  value = {
    region       = var.region
    account      = data.aws_caller_identity.current.account_id
    bucket       = aws_s3_bucket.documents.bucket
    signingKey   = aws_kms_alias.signing.name
    statementKey = aws_kms_alias.statements.name
    archiveKey   = aws_kms_alias.archives.name
    dataKey      = aws_kms_alias.data.name
  }
}
