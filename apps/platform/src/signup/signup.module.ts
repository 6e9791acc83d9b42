import { Module } from '@nestjs/common';
import { OwnerNoticesModule } from '../owner-notices/owner-notices.module.ts';
import { SignUp } from './sign-up.ts';

@Module({ imports: [OwnerNoticesModule], controllers: [SignUp] })
export class SignUpModule {}
