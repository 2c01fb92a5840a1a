import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { CreatedPasskey, ShownPasskey } from '@nivida/contract/account/passkeys';
import { MINUTE_MS } from '@nivida/contract/time';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { DataSource } from 'typeorm';
import { CLOCK, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import type { UserEntity } from '../user.entity.ts';
import { PasskeyEntity } from './passkey.entity.ts';
import { CONSUME_CHALLENGE, NOTE_PASSKEY_USE, STORE_CHALLENGE } from './passkeys.sql.ts';
import type { RelyingParty } from './relying-party.ts';

/** How long a browser may take to answer. */
const CHALLENGE_MS = 5 * MINUTE_MS;
const CHALLENGE_BYTES = 32;
/** EdDSA, ES256 and RS256. Named, because the library else asks Node.js for algorithms that are still experimental. */
const ALGORITHMS = [-8, -7, -257];

/** For whom a challenge is: the answer must come from there. */
export interface ChallengeOwner {
  purpose: 'registration' | 'confirmation' | 'sign-in' | 'second-factor';
  /** Null for a visitor. */
  userId: string | null;
  /** Null without a session. */
  sessionId: string | null;
}

/** Why an answer was refused; for audit events, never for the answer to a client. */
export type PasskeyRefusal = 'challenge' | 'unknown' | 'other-account' | 'not-valid' | 'counter';

/** Thrown for an answer that is not accepted. */
export class PasskeyRefusedError extends Error {
  override name = 'PasskeyRefusedError';

  constructor(readonly reason: PasskeyRefusal) {
    super(reason);
  }
}

/** Makes the options that browsers need, and verifies their answers. */
@Injectable()
export class PasskeyChecksService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Options for creating a passkey that is found without a mobile number, and needs the device's lock. */
  async creationOptions(
    owner: ChallengeOwner,
    { id, mobileNo, username }: UserEntity,
    site: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return generateRegistrationOptions({
      rpName: 'Nivida',
      rpID: site.id,
      userID: new Uint8Array(Buffer.from(id)),
      userName: mobileNo,
      userDisplayName: username,
      challenge: await this.issueChallenge(owner),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: await this.descriptorsOf(id),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Options for showing a passkey: one of the owner's, or for a visitor any that the device has for this site. */
  async requestOptions(owner: ChallengeOwner, site: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({
      rpID: site.id,
      challenge: await this.issueChallenge(owner),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
      ...(owner.userId !== null && { allowCredentials: await this.descriptorsOf(owner.userId) }),
    });
  }

  /** A new passkey that is not stored yet. Throws PasskeyRefusedError. */
  async verifyCreated(
    owner: ChallengeOwner & { userId: string },
    created: CreatedPasskey,
    site: RelyingParty,
  ): Promise<Omit<PasskeyEntity, 'name'>> {
    const challenge = await this.consumeChallenge(owner, created.response.clientDataJSON);
    const verified = await verifyRegistrationResponse({
      response: { ...withoutNulls(created), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => undefined);
    if (!verified?.verified) throw new PasskeyRefusedError('not-valid');
    const { credential, credentialDeviceType, credentialBackedUp, aaguid } = verified.registrationInfo;
    return {
      id: randomUUID(),
      userId: owner.userId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports: credential.transports ?? [],
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      aaguid,
      createdAt: this.now(),
      lastUsedAt: null,
    };
  }

  /** The stored passkey that was shown, with its counter moved on. Throws PasskeyRefusedError. */
  async verifyShown(owner: ChallengeOwner, shown: ShownPasskey, site: RelyingParty): Promise<PasskeyEntity> {
    const challenge = await this.consumeChallenge(owner, shown.response.clientDataJSON);
    const passkey = await this.dataSource.getRepository(PasskeyEntity).findOneBy({ credentialId: shown.id });
    if (!passkey) throw new PasskeyRefusedError('unknown');
    const { userHandle } = shown.response;
    const isOthers =
      (owner.userId !== null && owner.userId !== passkey.userId) ||
      (userHandle !== null && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId);
    if (isOthers) throw new PasskeyRefusedError('other-account');
    const verified = await verifyAuthenticationResponse({
      response: { ...withoutNulls(shown), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // The counter is compared by the statement below, in one step with its change.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!verified?.verified) throw new PasskeyRefusedError('not-valid');
    const { newCounter, credentialBackedUp, credentialDeviceType } = verified.authenticationInfo;
    const [noted] = await this.dataSource.query(NOTE_PASSKEY_USE, [
      ...[passkey.id, newCounter, credentialBackedUp, credentialDeviceType, this.now()],
    ]);
    if (noted.length === 0) throw new PasskeyRefusedError('counter');
    return passkey;
  }

  private async issueChallenge({ purpose, userId, sessionId }: ChallengeOwner): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
    const end = new Date(this.now().getTime() + CHALLENGE_MS);
    await this.dataSource.query(STORE_CHALLENGE, [digestOf(challenge), purpose, userId, sessionId, end]);
    return challenge;
  }

  /** The challenge of an answer, in base64url. It cannot be answered again, whether the answer is right or wrong. */
  private async consumeChallenge(
    { purpose, userId, sessionId }: ChallengeOwner,
    clientDataJSON: string,
  ): Promise<string> {
    const challenge = challengeOf(clientDataJSON);
    const now = this.now();
    const [consumed] = await this.dataSource.query(CONSUME_CHALLENGE, [
      digestOf(Buffer.from(challenge, 'base64url')),
      ...[purpose, userId, sessionId, now],
      new Date(latestPlausibleInstant(now).getTime() + CHALLENGE_MS),
    ]);
    if (consumed.length === 0) throw new PasskeyRefusedError('challenge');
    return challenge;
  }

  private async descriptorsOf(userId: string): Promise<{ id: string; transports: string[] }[]> {
    const passkeys = await this.dataSource
      .getRepository(PasskeyEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
  }
}

const digestOf = (challenge: Uint8Array): Buffer => createHash('sha256').update(challenge).digest();

/** The challenge that the browser has signed; '' for data that is none of a browser. */
function challengeOf(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** The library distinguishes a missing field from null. */
function withoutNulls<T extends CreatedPasskey | ShownPasskey>({ authenticatorAttachment, response, ...rest }: T) {
  const present = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null));
  return {
    ...rest,
    ...(authenticatorAttachment !== null && { authenticatorAttachment }),
    response: present as { [Name in keyof T['response']]: Exclude<T['response'][Name], null> },
  };
}
