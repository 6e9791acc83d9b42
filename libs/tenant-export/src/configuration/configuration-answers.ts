import { ApiOptional, ApiProblems, BODY_PROBLEMS, FILE_NAME_HEADER } from '@constancia/http';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ConfigurationImportView } from './import-view.ts';
import { ZIP_LIMITS } from './zip-entries.ts';

export const ZIP = 'application/zip';
export const CONFIGURATION_KEY = 'Configuration-Key';

export class ImportConfigurationQuery {
  @ApiOptional({ default: false, description: 'Answer what an import would do, and do nothing.' })
  @IsBoolean()
  dry_run?: boolean;
}

/** Documents an operation that answers with the configuration of a host. `contents`: a sentence. */
export function ApiExportConfiguration(contents: string): MethodDecorator {
  return applyDecorators(
    ApiTags('Configuration'),
    ApiOperation({
      operationId: 'exportConfiguration',
      summary: 'Export the configuration',
      description: `${contents} A signed ZIP to import into another tenant; the same configuration is the same files.`,
    }),
    ApiProduces(ZIP),
    ApiOkResponse({
      content: { [ZIP]: { schema: { type: 'string', format: 'binary', maxLength: ZIP_LIMITS.bytes * 2 } } },
      headers: {
        'Content-Disposition': FILE_NAME_HEADER,
        [CONFIGURATION_KEY]: {
          description: 'Thumbprint of the key that signed.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 },
        },
      },
    }),
    ApiProblems('state-conflict', 'dependency-unavailable'),
  );
}

/** Documents an operation that imports such an archive. `rules`: what is special of the host. */
export function ApiImportConfiguration(rules: string): MethodDecorator {
  return applyDecorators(
    ApiTags('Configuration'),
    ApiOperation({
      operationId: 'importConfiguration',
      summary: 'Import a configuration',
      description:
        'Takes the folder of this host from an archive. What differs from what is in force is created or becomes the next version, ' +
        `published; nothing is deleted; the same archive again changes nothing. ${rules} At most 50 MB and ${ZIP_LIMITS.entries} files.`,
    }),
    ApiOkResponse({ type: ConfigurationImportView }),
    ApiProblems(...BODY_PROBLEMS, 'state-conflict', 'dependency-unavailable'),
  );
}
