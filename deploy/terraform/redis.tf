resource "aws_elasticache_subnet_group" "redis" {
  name       = "constancia-${var.name}"
  subnet_ids = var.redis_subnet_ids
}

resource "aws_security_group" "redis" {
  name_prefix = "constancia-${var.name}-redis-"
  description = "Redis of Constancia: from the pods alone"
  vpc_id      = var.vpc_id

  ingress {
    description = "Redis"
    from_port   = 6379
    to_port     = 6379
    protocol    = "tcp"
    cidr_blocks = var.pod_cidrs
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_elasticache_parameter_group" "redis" {
  name   = "constancia-${var.name}"
  family = "redis7"

  parameter {
    name  = "maxmemory-policy"
    value = "noeviction"
  }
}

# Queues hold hints only and may be lost: no snapshots.
resource "aws_elasticache_replication_group" "redis" {
  replication_group_id = "constancia-${var.name}"
  description          = "Queues and rate limits of Constancia"
  engine               = "redis"
  engine_version       = "7.1"
  node_type            = var.redis_node_type
  port                 = 6379
  parameter_group_name = aws_elasticache_parameter_group.redis.name

  num_cache_clusters         = 2
  automatic_failover_enabled = true
  multi_az_enabled           = true

  subnet_group_name          = aws_elasticache_subnet_group.redis.name
  security_group_ids         = [aws_security_group.redis.id]
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
  auth_token                 = var.redis_auth_token
  snapshot_retention_limit   = 0
}
