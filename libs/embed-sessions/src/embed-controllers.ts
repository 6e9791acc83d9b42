import type { EmbedKind, Scope } from '@constancia/contracts';
import { AlsoOnPageHost, mounted, OnPageHost, OwnPageOnly, PathCredential, RequireScope } from '@constancia/http';
import { Controller, type Type, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { EmbedFrame } from './embed-frame.ts';
import { EMBED_PATH, FrameOnly } from './embed-request.ts';
import { ManageEmbedSessions, OpenEmbedSession, ShowEmbedSession } from './embed-routes.ts';
import { EMBED_CREDENTIAL, framedCredential } from './embed-tokens.ts';

type PageHostName = NonNullable<Parameters<typeof OnPageHost>[0]>;

/** Where an app serves embed sessions, and the scopes that a tenant's system needs. */
export interface EmbedPlace {
  /** The host of the framed page. */
  pageHost: PageHostName;
  read: Scope;
  write: Scope;
}

/** The controllers of embed sessions. Their module provides EmbedSessions, OldEmbedSessions and EmbedKinds. */
export function embedControllers({ pageHost, read, write }: EmbedPlace): Type[] {
  const tenants = Controller('v1/embed/sessions');
  return [
    mounted(ManageEmbedSessions, tenants, RequireScope(write)),
    mounted(ShowEmbedSession, tenants, RequireScope(read)),
    mounted(OpenEmbedSession, Controller(EMBED_PATH), AlsoOnPageHost(pageHost)),
    mounted(EmbedFrame, Controller(EMBED_PATH), ApiExcludeController(), ...framed(EMBED_CREDENTIAL, pageHost)),
  ];
}

/** What the framed page of a kind calls: `path` is below that of the embed token, whose frame alone is served. */
export const framedPlace = (kind: EmbedKind, path: string, pageHost: PageHostName): ClassDecorator[] => [
  Controller(`${EMBED_PATH}/${path}`),
  ApiExcludeController(),
  UseGuards(OwnPageOnly, FrameOnly),
  ...framed(framedCredential(kind), pageHost),
];

const framed = (credential: string, pageHost: PageHostName): ClassDecorator[] => [
  PathCredential('token', credential),
  OnPageHost(pageHost),
];
