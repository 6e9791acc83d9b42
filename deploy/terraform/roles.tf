# A role for each module that asks AWS and for the backup, named as the manifests annotate its ServiceAccount. What each may do stands in
# docs/guides/deploy.md; a test compares.

data "aws_caller_identity" "current" {}

locals {
  oidc_issuer = replace(var.oidc_provider_arn, "/^.*oidc-provider\\//", "")
  objects     = "${aws_s3_bucket.documents.arn}/*"
  archives    = "${aws_s3_bucket.documents.arn}/archives/*"
  tenant_keys = "arn:aws:kms:${var.region}:${data.aws_caller_identity.current.account_id}:key/*"

  bucket_is_there = { actions = ["s3:ListBucket"], resources = [aws_s3_bucket.documents.arn] }
  make_data_keys  = { actions = ["kms:GenerateDataKey"], resources = [aws_kms_key.data.arn] }
  open_data_keys  = { actions = ["kms:Decrypt"], resources = concat([aws_kms_key.data.arn], var.former_data_key_arns) }
  sign_archives   = { actions = ["kms:Sign", "kms:GetPublicKey"], resources = [aws_kms_key.archives.arn] }

  rights = {
    platform = [
      local.bucket_is_there,
      { actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], resources = [local.objects] },
      local.make_data_keys,
      local.open_data_keys,
      { actions = ["kms:Sign", "kms:GetPublicKey"], resources = [aws_kms_key.statements.arn] },
    ]
    compliance = [
      local.bucket_is_there,
      { actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], resources = [local.archives] },
      local.make_data_keys,
      local.open_data_keys,
      local.sign_archives,
    ]
    signing = [
      local.bucket_is_there,
      { actions = ["s3:GetObject", "s3:PutObject"], resources = [local.objects] },
      { actions = ["s3:DeleteObject"], resources = [local.archives] },
      local.make_data_keys,
      local.open_data_keys,
      local.sign_archives,
      { actions = ["sms-voice:SendTextMessage"], resources = ["*"] },
    ]
    sealing-worker = [
      local.bucket_is_there,
      { actions = ["s3:GetObject", "s3:PutObject"], resources = [local.objects] },
      { actions = ["kms:Sign", "kms:GetPublicKey"], resources = [aws_kms_key.signing.arn] },
      local.open_data_keys,
    ]
    biometrics-worker = [
      local.bucket_is_there,
      { actions = ["s3:GetObject", "s3:DeleteObject"], resources = [local.objects] },
      local.open_data_keys,
      { actions = ["textract:AnalyzeID", "rekognition:CompareFaces", "rekognition:DetectFaces"], resources = ["*"] },
    ]
    backup = [
      { actions = ["s3:PutObject"], resources = ["${aws_s3_bucket.backups.arn}/*"] },
      { actions = ["kms:GenerateDataKey", "kms:Decrypt"], resources = [aws_kms_key.storage.arn] },
    ]
  }

  # Those that seal with keys of tenants: docs/guides/own-certificate.md.
  use_tenant_keys = ["signing", "sealing-worker"]
}

data "aws_iam_policy_document" "trust" {
  for_each = local.rights

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [var.oidc_provider_arn]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.oidc_issuer}:sub"
      values   = ["system:serviceaccount:${var.namespace}:${each.key}"]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.oidc_issuer}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "rights" {
  for_each = local.rights

  dynamic "statement" {
    for_each = each.value

    content {
      actions   = statement.value.actions
      resources = statement.value.resources
    }
  }

  dynamic "statement" {
    for_each = contains(local.use_tenant_keys, each.key) ? [1] : []

    content {
      actions   = ["kms:Sign", "kms:GetPublicKey"]
      resources = [local.tenant_keys]

      condition {
        test     = "ForAnyValue:StringLike"
        variable = "kms:ResourceAliases"
        values   = ["alias/constancia-tenant-*"]
      }
    }
  }
}

resource "aws_iam_role" "module" {
  for_each = local.rights

  name               = "constancia-${var.name}-${each.key}"
  assume_role_policy = data.aws_iam_policy_document.trust[each.key].json
}

resource "aws_iam_role_policy" "module" {
  for_each = local.rights

  name   = "constancia"
  role   = aws_iam_role.module[each.key].id
  policy = data.aws_iam_policy_document.rights[each.key].json
}
