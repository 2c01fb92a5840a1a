import { t } from '@lingui/core/macro';
import type { StaffRole } from '@nivida/contract/desk/act';
import {
  EndFeedsResponse,
  EndSessionsResponse,
  type PersonResponse,
  RevokeKeysResponse,
  UnlockResponse,
} from '@nivida/contract/desk/people';
import { formatDateTime } from '@nivida/contract/format';
import { ActButton } from '../act/ActButton.tsx';
import { PersonSection } from './PersonSection.tsx';

/** Where passwords were wrong, and until when the number is locked there. */
function lockText({ where, failuresInARow, lockedUntil, isFinal }: PersonResponse['locks'][number]): string {
  const browsers = { unknown: t`New browsers`, known: t`Known browsers`, 'signed-in': t`Within the app` };
  const state = isFinal
    ? t`locked until the password is reset`
    : lockedUntil
      ? t`locked until ${{ time: formatDateTime(lockedUntil) }}`
      : t`not locked`;
  return t`${{ where: browsers[where] }}: ${failuresInARow} wrong passwords, ${state}`;
}

/** Devices, passkeys, locks, and the keys and addresses with which programs read. */
export function PersonSignIn({ person, may }: { person: PersonResponse; may: (role: StaffRole) => boolean }) {
  const { id, username, locks, sessions, lastUsedAt, passkeys, secondFactor, alertDevices } = person;
  const { apiKeys, searchFeeds } = person;
  const isLocked = locks.some(({ lockedUntil, isFinal }) => isFinal || lockedUntil !== null);
  return (
    <div className="stack">
      <PersonSection title={t`Sign-in`} empty="">
        {[
          <li key="devices" className="s">
            {t`Signed-in devices: ${sessions}`}
            {lastUsedAt && <span className="facts">{t`last used ${{ time: formatDateTime(lastUsedAt) }}`}</span>}
          </li>,
          <li key="passkeys" className="s">
            {t`Passkeys: ${passkeys}`}
            {secondFactor && <span className="facts">{t`A sign-in needs a passkey too`}</span>}
          </li>,
          <li key="alerts" className="s">{t`Devices with alerts: ${alertDevices}`}</li>,
          <li key="keys" className="s">{t`Keys for programs: ${apiKeys}`}</li>,
          <li key="feeds" className="s">{t`Private addresses of feeds: ${searchFeeds}`}</li>,
          ...locks.map((lock, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several browsers have the same words
            <li key={`lock ${position}`} className="s">
              {lockText(lock)}
            </li>
          )),
        ]}
      </PersonSection>
      {may('operator') && (
        <div className="row">
          {locks.length > 0 && (
            <ActButton
              label={t`Unlock`}
              title={t`Let ${username} sign in again?`}
              path={`people/${id}/unlock`}
              schema={UnlockResponse}
              usualReasons={[t`Asked by phone`, t`Asked by mail`]}
              done={() => t`The number can sign in again`}
              isMain={isLocked && person.proposal === null}
            />
          )}
          {sessions > 0 && (
            <ActButton
              label={t`End sessions`}
              title={t`Sign all devices of ${username} out?`}
              path={`people/${id}/end-sessions`}
              schema={EndSessionsResponse}
              usualReasons={[t`Phone lost`, t`Account misused`]}
              done={(ended) => t`Sessions ended: ${{ count: ended.sessions }}`}
            />
          )}
          {apiKeys > 0 && (
            <ActButton
              label={t`Revoke keys`}
              title={t`Revoke all keys for programs of ${username}?`}
              path={`people/${id}/revoke-keys`}
              schema={RevokeKeysResponse}
              usualReasons={[t`Key published`, t`Account misused`]}
              done={(revoked) => t`Keys revoked: ${{ count: revoked.keys }}`}
            />
          )}
          {searchFeeds > 0 && (
            <ActButton
              label={t`End feed addresses`}
              title={t`End all private addresses of feeds of ${username}?`}
              path={`people/${id}/end-feeds`}
              schema={EndFeedsResponse}
              usualReasons={[t`Address published`, t`Account misused`]}
              done={(ended) => t`Addresses ended: ${{ count: ended.feeds }}`}
            />
          )}
        </div>
      )}
    </div>
  );
}
