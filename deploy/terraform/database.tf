resource "aws_db_subnet_group" "postgres" {
  name       = "constancia-${var.name}"
  subnet_ids = var.database_subnet_ids
}

resource "aws_security_group" "postgres" {
  name_prefix = "constancia-${var.name}-postgres-"
  description = "PostgreSQL of Constancia: from the pods alone"
  vpc_id      = var.vpc_id

  ingress {
    description = "PostgreSQL"
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = var.pod_cidrs
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_parameter_group" "postgres" {
  name_prefix = "constancia-${var.name}-"
  family      = "postgres17"

  parameter {
    name         = "max_connections"
    value        = "1000"
    apply_method = "pending-reboot"
  }

  # Of the replica: an export there keeps the rows that it reads.
  parameter {
    name  = "hot_standby_feedback"
    value = "1"
  }

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  lifecycle {
    create_before_destroy = true
  }
}

# A second machine in another zone takes over by itself, with every write that was acknowledged.
resource "aws_db_instance" "postgres" {
  identifier     = "constancia-${var.name}"
  engine         = "postgres"
  engine_version = "17"
  instance_class = var.database_instance_class
  db_name        = "constancia"

  allocated_storage     = var.database_storage_gb
  max_allocated_storage = var.database_storage_gb * 5
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = aws_kms_key.storage.arn

  # The administrator, whom the bootstrap makes roles with; its password is in Secrets Manager, and in no state.
  username                    = "constancia_admin"
  manage_master_user_password = true

  multi_az               = true
  db_subnet_group_name   = aws_db_subnet_group.postgres.name
  vpc_security_group_ids = [aws_security_group.postgres.id]
  parameter_group_name   = aws_db_parameter_group.postgres.name
  publicly_accessible    = false

  # Point-in-time recovery: to any moment of these days but the last five minutes.
  backup_retention_period   = var.backup_days
  backup_window             = "06:00-07:00"
  maintenance_window        = "sun:07:30-sun:08:30"
  copy_tags_to_snapshot     = true
  deletion_protection       = true
  skip_final_snapshot       = false
  final_snapshot_identifier = "constancia-${var.name}-final"

  auto_minor_version_upgrade   = true
  performance_insights_enabled = true
}

# For reads that may be stale. It takes over from nobody: the second machine above does.
resource "aws_db_instance" "replica" {
  count = var.database_replica ? 1 : 0

  identifier          = "constancia-${var.name}-replica"
  replicate_source_db = aws_db_instance.postgres.identifier
  instance_class      = var.database_instance_class

  max_allocated_storage = var.database_storage_gb * 5
  storage_type          = "gp3"
  storage_encrypted     = true

  vpc_security_group_ids = [aws_security_group.postgres.id]
  parameter_group_name   = aws_db_parameter_group.postgres.name
  publicly_accessible    = false

  maintenance_window    = "sun:09:00-sun:10:00"
  copy_tags_to_snapshot = true
  skip_final_snapshot   = true

  auto_minor_version_upgrade   = true
  performance_insights_enabled = true
}
