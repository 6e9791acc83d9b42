# Keys cannot be exported: 30 days in which a deletion can be called back, and no deletion by Terraform.

resource "aws_kms_key" "signing" {
  description              = "Constancia ${var.name}: seals documents"
  key_usage                = "SIGN_VERIFY"
  customer_master_key_spec = "RSA_3072"
  deletion_window_in_days  = 30

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "signing" {
  name          = "alias/constancia-${var.name}-signing"
  target_key_id = aws_kms_key.signing.key_id
}

resource "aws_kms_key" "statements" {
  description              = "Constancia ${var.name}: seals statements and configuration archives"
  key_usage                = "SIGN_VERIFY"
  customer_master_key_spec = "RSA_3072"
  deletion_window_in_days  = 30

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "statements" {
  name          = "alias/constancia-${var.name}-statements"
  target_key_id = aws_kms_key.statements.key_id
}

resource "aws_kms_key" "archives" {
  description              = "Constancia ${var.name}: signs archived files of compliance and signing"
  key_usage                = "SIGN_VERIFY"
  customer_master_key_spec = "RSA_3072"
  deletion_window_in_days  = 30

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "archives" {
  name          = "alias/constancia-${var.name}-archives"
  target_key_id = aws_kms_key.archives.key_id
}

# Multi-Region, so that data can be restored in another Region.
resource "aws_kms_key" "data" {
  description             = "Constancia ${var.name}: wraps data keys"
  enable_key_rotation     = true
  multi_region            = true
  deletion_window_in_days = 30

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "data" {
  name          = "alias/constancia-${var.name}-data"
  target_key_id = aws_kms_key.data.key_id
}

resource "aws_kms_key" "storage" {
  description             = "Constancia ${var.name}: disks and dumps of PostgreSQL"
  enable_key_rotation     = true
  deletion_window_in_days = 30

  lifecycle {
    prevent_destroy = true
  }
}
