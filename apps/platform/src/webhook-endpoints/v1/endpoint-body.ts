import { ApiOptional } from '@constancia/http';
import { EVENT_MODULES, type EventModule, shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Length, MaxLength,
} from 'class-validator'; // prettier-ignore
import { MAX_URL_LENGTH } from '../webhook-endpoint-view.ts';

const URL_RULES = {
  format: 'uri',
  description: 'https, to a public address. A sandbox may allow http to loopback.',
  example: 'https://hooks.example.com/constancia',
};

/** What an endpoint gets, and what it is called. */
class EndpointChoices {
  @ApiOptional({
    maxItems: EVENT_MODULES.length,
    description: 'The modules whose events to send. Left out: those that emit `event_types`.',
    example: ['seal', 'identity'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EVENT_MODULES, { each: true })
  modules?: EventModule[];

  @ApiOptional({
    type: 'array',
    items: { type: 'string', ...shape.eventType },
    description: 'The event types to send; empty or left out: all of the modules.',
    example: ['seal.signature.completed'],
  })
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  event_types?: string[];

  @ApiOptional({ type: String, nullable: true })
  @IsString()
  @MaxLength(200)
  description?: string | null;

  @ApiOptional({ description: 'Deliveries wait for a disabled endpoint and are sent once it is enabled.' })
  @IsBoolean()
  enabled?: boolean;
}

export class NewEndpointBody extends EndpointChoices {
  @ApiProperty(URL_RULES)
  @IsString()
  @Length(1, MAX_URL_LENGTH)
  url: string;
}

/** What is left out stays as it is. */
export class EndpointChangesBody extends EndpointChoices {
  @ApiOptional(URL_RULES)
  @IsString()
  @Length(1, MAX_URL_LENGTH)
  url?: string;
}

export class EndpointTestBody {
  @ApiOptional({
    pattern: shape.eventType.pattern,
    default: 'endpoint.test',
    description: 'Any type that the endpoint’s modules emit; the payload is an example.',
    example: 'seal.signature.completed',
  })
  @IsString()
  @MaxLength(shape.eventType.maxLength)
  event_type?: string;
}
