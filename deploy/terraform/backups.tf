# Dumps of the database, which the Job "backup" sends: it can write them, and neither read nor delete them.
resource "aws_s3_bucket" "backups" {
  bucket = var.backup_bucket

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_public_access_block" "backups" {
  bucket                  = aws_s3_bucket.backups.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_server_side_encryption_configuration" "backups" {
  bucket = aws_s3_bucket.backups.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.storage.arn
    }
  }
}

# A dump that is written over stays, as a version.
resource "aws_s3_bucket_versioning" "backups" {
  bucket = aws_s3_bucket.backups.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "backups" {
  bucket     = aws_s3_bucket.backups.id
  depends_on = [aws_s3_bucket_versioning.backups]

  rule {
    id     = "old-dumps"
    status = "Enabled"

    filter {}

    expiration {
      days = var.dump_days
    }

    noncurrent_version_expiration {
      noncurrent_days = var.dump_days
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
  }
}
