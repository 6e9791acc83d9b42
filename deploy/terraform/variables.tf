# What stands in the values file of the environment too (deploy/values): the same words, the same values.

variable "name" {
  description = "Name of the environment, as in its values file."
  type        = string

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$", var.name))
    error_message = "The name must be small letters, digits and hyphens."
  }
}

variable "namespace" {
  description = "Namespace of the modules in the cluster."
  type        = string
}

variable "region" {
  description = "Region of everything here."
  type        = string
}

variable "bucket" {
  description = "Name of the bucket for documents and pictures."
  type        = string
}

variable "backup_bucket" {
  description = "Name of the bucket for dumps of the database: backup.bucket of the values."
  type        = string
}

# What is there already.

variable "vpc_id" {
  description = "Network of the cluster."
  type        = string
}

variable "database_subnet_ids" {
  description = "Private subnets for PostgreSQL, in two zones at least: networks.postgres of the values."
  type        = list(string)

  validation {
    condition     = length(var.database_subnet_ids) >= 2
    error_message = "PostgreSQL needs subnets in two zones at least."
  }
}

variable "redis_subnet_ids" {
  description = "Private subnets for Redis, in two zones at least: networks.redis of the values."
  type        = list(string)

  validation {
    condition     = length(var.redis_subnet_ids) >= 2
    error_message = "Redis needs subnets in two zones at least."
  }
}

variable "pod_cidrs" {
  description = "Address ranges of the cluster's pods, which reach PostgreSQL and Redis."
  type        = list(string)
}

variable "oidc_provider_arn" {
  description = "OIDC provider of the cluster, which its service accounts get their roles through."
  type        = string
}

variable "redis_auth_token" {
  description = "Password of Redis, 32 random letters and digits at least."
  type        = string
  sensitive   = true

  validation {
    condition     = can(regex("^[A-Za-z0-9]{32,128}$", var.redis_auth_token))
    error_message = "The password must be 32 to 128 letters and digits: openssl rand -hex 32."
  }
}

variable "former_data_key_arns" {
  description = "Other keys of KMS that wrapped data keys of what is stored here: those after the first in aws.dataKey of the values."
  type        = list(string)
  default     = []
}

# Sizes.

variable "database_instance_class" {
  description = "Machine of PostgreSQL: 1,000 connections need 16 GB."
  type        = string
  default     = "db.r7g.large"
}

variable "database_storage_gb" {
  description = "Storage of PostgreSQL at first; it grows by itself to five times of that."
  type        = number
  default     = 200
}

variable "database_replica" {
  description = "Whether there is a replica for lists, exports and statistics: replica.enabled of the values."
  type        = bool
  default     = false
}

variable "redis_node_type" {
  description = "Machine of Redis."
  type        = string
  default     = "cache.t4g.medium"
}

variable "backup_days" {
  description = "How long PostgreSQL can be restored to any moment, 35 days at most, and deleted objects are kept."
  type        = number
  default     = 35

  validation {
    condition     = var.backup_days >= 7 && var.backup_days <= 35
    error_message = "Keep backups for 7 to 35 days."
  }
}

variable "dump_days" {
  description = "How long dumps of the database are kept."
  type        = number
  default     = 90
}
