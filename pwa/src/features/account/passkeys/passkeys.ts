/** The user's passkeys, second factor and recovery codes. Calls throw ky's errors. */
import { MessageResponse } from '@nivida/contract/account/auth';
import { PasskeyListResponse, RecoveryCodesResponse } from '@nivida/contract/account/passkeys';
import { useEffect } from 'react';
import { api, apiOf } from '../../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../../data/server/query-cache.ts';

// The cache is keyed by user, so that a list is never shown to the next user of the device.
const passkeyListCache = createQueryCache((userId) => apiOf(userId).get('api/passkeys').json(PasskeyListResponse));

/** The passkeys of the signed-in user as last loaded. Each screen that shows them loads them again. */
export function usePasskeys(userId: string): QueryResult<PasskeyListResponse> {
  useEffect(() => void passkeyListCache.refresh(userId), [userId]);
  return useQuery(passkeyListCache, userId);
}

/** Loads the list again. */
export const refreshPasskeys = (userId: string): Promise<void> => passkeyListCache.refresh(userId);

/** Whether the session may change passkeys now, asked of the server. */
export const isSessionConfirmed = async (): Promise<boolean> =>
  (await api.get('api/passkeys').json(PasskeyListResponse)).isConfirmed;

/** Confirms the session by the password. */
export async function confirmByPassword(password: string): Promise<void> {
  await api.post('api/passkeys/confirm/password', { json: { password } }).json(MessageResponse);
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await api.put(`api/passkeys/${id}`, { json: { name } }).json(MessageResponse);
}

export async function removePasskey(id: string): Promise<void> {
  await api.delete(`api/passkeys/${id}`).json(MessageResponse);
}

/** Switches the second factor; returns new recovery codes if there were none. */
export async function setSecondFactor(isOn: boolean): Promise<string[] | null> {
  return (await api.put('api/passkeys/second-factor', { json: { isOn } }).json(RecoveryCodesResponse)).codes;
}

/** Replaces all recovery codes. */
export async function makeRecoveryCodes(): Promise<string[]> {
  return (await api.post('api/passkeys/recovery-codes').json(RecoveryCodesResponse)).codes ?? [];
}
