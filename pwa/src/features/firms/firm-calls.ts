/** Calls about firms. Each answer is stored on the device. They throw when the server refuses or does not answer. */
import { RecordsExport } from '@nivida/contract/bids/records';
import { Firm, FirmInvitation, type FirmRequest, type FirmRole } from '@nivida/contract/firms/firms';
import { withDatabase } from '../../data/device/database.ts';
import { chooseSpace } from '../../data/firms/space.ts';
import { refreshFirms, storeFirm } from '../../data/firms/sync-firms.ts';
import { apiOf } from '../../data/server/api.ts';

async function stored(userId: string, answer: Promise<Firm>): Promise<Firm> {
  const firm = await answer;
  await storeFirm(userId, firm).catch(() => undefined);
  return firm;
}

/** Asks for the list again. */
export const reloadFirms = (userId: string): Promise<unknown> => withDatabase((db) => refreshFirms(db, userId));

/** Creates a firm, or changes one, and shows its records. */
export async function saveFirmData(userId: string, id: string | undefined, firm: FirmRequest): Promise<void> {
  const calls = apiOf(userId);
  const json = { json: firm };
  const saved = id === undefined ? calls.post('api/firms', json) : calls.put(`api/firms/${id}`, json);
  const { id: savedId } = await stored(userId, saved.json(Firm));
  if (id === undefined) chooseSpace(savedId);
}

/** Closes a firm; its records end. */
export async function closeFirm(userId: string, firmId: string): Promise<void> {
  await apiOf(userId).delete(`api/firms/${firmId}`);
  await reloadFirms(userId);
}

export const inviteMember = (userId: string, firmId: string, email: string, role: FirmRole): Promise<Firm> =>
  stored(userId, apiOf(userId).post(`api/firms/${firmId}/invitations`, { json: { email, role } }).json(Firm));

export const withdrawInvitation = (userId: string, firmId: string, id: string): Promise<Firm> =>
  stored(userId, apiOf(userId).delete(`api/firms/${firmId}/invitations/${id}`).json(Firm));

export const changeMemberRole = (userId: string, firmId: string, memberId: string, role: FirmRole): Promise<Firm> =>
  stored(userId, apiOf(userId).put(`api/firms/${firmId}/members/${memberId}`, { json: { role } }).json(Firm));

/** Removes a member; with the own id the user leaves. */
export async function removeMember(userId: string, firmId: string, memberId: string): Promise<void> {
  await apiOf(userId).delete(`api/firms/${firmId}/members/${memberId}`);
  await reloadFirms(userId);
}

/** What the user is invited to. */
export const readInvitation = (userId: string, token: string): Promise<FirmInvitation> =>
  apiOf(userId).post('api/firms/invitations/read', { json: { token } }).json(FirmInvitation);

/** Joins a firm and shows its records. */
export async function acceptInvitation(userId: string, token: string): Promise<void> {
  const answer = apiOf(userId).post('api/firms/invitations/accept', { json: { token } }).json(Firm);
  const { id } = await stored(userId, answer);
  chooseSpace(id);
}

/** The records of a firm as a file. */
export async function exportFirm(userId: string, firmId: string): Promise<Blob> {
  const searchParams = { firm: firmId };
  const records = await apiOf(userId).get('api/bids/export', { searchParams }).json(RecordsExport);
  return new Blob([JSON.stringify(records, null, 2)], { type: 'application/json' });
}
