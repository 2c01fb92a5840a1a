import { plural, t } from '@lingui/core/macro';
import type { Firm, FirmRole } from '@nivida/contract/firms/firms';
import { formatDate } from '@nivida/contract/format';
import { MAX_FIRM_MEMBERS } from '@nivida/contract/limits';
import { type ReactNode, useState } from 'react';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { Select } from '../../ui/form/Field.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { FirmConfirmDialog, FirmDialog, InviteDialog, roleOptions } from './FirmDialogs.tsx';
import { changeMemberRole, closeFirm, exportFirm, removeMember, withdrawInvitation } from './firm-calls.ts';
import css from './firms.module.css';

const roleText = (role: FirmRole): string => (role === 'owner' ? t`Owner` : t`Member`);

interface PartProps {
  userId: string;
  firm: Firm;
}

/** A member, with the role and a button that removes. */
function MemberRow({ userId, firm, member }: PartProps & { member: Firm['members'][number] }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const change = useMutation(t`The role was not changed`);
  const isSelf = member.id === userId;
  const isOwner = firm.role === 'owner';
  return (
    <li>
      <div className={css.member}>
        <p className={isOwner ? css.nameAboveRole : css.name}>
          <b>{member.name}</b> {isSelf && <Badge tone="blue">{t`You`}</Badge>}
          {!isOwner && <span className="s muted"> {roleText(member.role)}</span>}
        </p>
        {isOwner && (
          <Select
            aria-label={t`Role of ${member.name}`}
            value={member.role}
            disabled={change.isBusy}
            short={roleText(member.role)}
            options={roleOptions()}
            onChange={({ target }) =>
              void change.run(() => changeMemberRole(userId, firm.id, member.id, target.value as FirmRole))
            }
          />
        )}
        {(isOwner || isSelf) && (
          <Button aria-haspopup="dialog" onClick={() => setIsRemoving(true)}>
            {isSelf ? t`Leave` : t`Remove`}
            {!isSelf && <span className="sr"> {member.name}</span>}
          </Button>
        )}
      </div>
      <ErrorText text={change.problem} />
      {isRemoving && (
        <FirmConfirmDialog
          title={isSelf ? t`Leave ${firm.name}?` : t`Remove ${member.name}?`}
          confirmText={isSelf ? t`Leave` : t`Remove`}
          failureText={isSelf ? t`You have not left the firm` : t`The member was not removed`}
          onConfirm={() => removeMember(userId, firm.id, member.id)}
          onClose={() => setIsRemoving(false)}
        >
          {isSelf
            ? t`What you wrote stays with the firm. Its bids and documents are removed from your devices, with changes that were not sent.`
            : t`What this person wrote stays with the firm. Its bids and documents are removed from the person's devices at their next connection, with changes that were not sent.`}
        </FirmConfirmDialog>
      )}
    </li>
  );
}

function Invitations({ userId, firm }: PartProps) {
  const withdraw = useMutation(t`The invitation was not withdrawn`);
  if (firm.invitations.length === 0) return null;
  return (
    <>
      <h3>{t`Invited`}</h3>
      <ul className={css.members}>
        {firm.invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className={css.member}>
            <p className={css.name}>
              {email}{' '}
              <span className={`${css.role} xs muted`}>
                {t`${{ role: roleText(role) }}, until ${{ day: formatDate(expiresAt) }}`}
              </span>
            </p>
            <Button
              busy={withdraw.isBusy}
              onClick={() => void withdraw.run(() => withdrawInvitation(userId, firm.id, id))}
            >
              {t`Withdraw`}
              <span className="sr"> {email}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ErrorText text={withdraw.problem} />
    </>
  );
}

interface FirmPanelProps extends PartProps {
  /** Whether the screen's main button may be here. */
  isMain: boolean;
  plan: ReactNode;
  /** Goes to the firm's records. */
  action: ReactNode;
  children: ReactNode;
}

/** A firm: members, invitations, invoice data and what its owners can do. `plan` renders its plan, `children` more about it. */
export function FirmPanel({ userId, firm, isMain, plan, action, children }: FirmPanelProps) {
  const [dialog, setDialog] = useState<'change' | 'invite' | 'close'>();
  const exporting = useMutation(t`The records were not exported`);
  const close = () => setDialog(undefined);
  const isOwner = firm.role === 'owner';
  const places = MAX_FIRM_MEMBERS - firm.members.length - firm.invitations.length;
  const save = async () => saveFile(`nivida-firm-${firm.id.slice(0, 8)}.json`, await exportFirm(userId, firm.id));
  return (
    <Panel stack aria-labelledby={`firm-${firm.id}`}>
      <h2 id={`firm-${firm.id}`}>{firm.name}</h2>
      {plan}
      <ul className={css.members}>
        {firm.members.map((member) => (
          <MemberRow key={member.id} userId={userId} firm={firm} member={member} />
        ))}
      </ul>
      <Invitations userId={userId} firm={firm} />
      {isOwner && (
        <>
          <div className="row">
            <Button
              look={isMain && firm.canWrite ? 'main' : undefined}
              disabled={places <= 0}
              aria-haspopup="dialog"
              onClick={() => setDialog('invite')}
            >
              {t`Invite`}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => setDialog('change')}>
              {t`Name and invoice data`}
            </Button>
          </div>
          <p className="xs muted">
            {places > 0
              ? plural(places, { one: '# of 5 places is free.', other: '# of 5 places are free.' })
              : t`All 5 places are taken.`}
            {firm.gstin !== '' && ` ${t`GSTIN ${firm.gstin}`}`}
          </p>
        </>
      )}
      {children}
      <div className="row">
        {action}
        {isOwner && (
          <Button busy={exporting.isBusy} onClick={() => void exporting.run(save)}>
            {t`Export all records`}
          </Button>
        )}
        {isOwner && firm.members.length === 1 && (
          <Button aria-haspopup="dialog" onClick={() => setDialog('close')}>
            {t`Close the firm`}
          </Button>
        )}
      </div>
      <ErrorText text={exporting.problem} />
      {dialog === 'change' && <FirmDialog userId={userId} firm={firm} onClose={close} />}
      {dialog === 'invite' && <InviteDialog userId={userId} firm={firm} onClose={close} />}
      {dialog === 'close' && (
        <FirmConfirmDialog
          title={t`Close ${firm.name}?`}
          confirmText={t`Close the firm`}
          failureText={t`The firm was not closed`}
          onConfirm={() => closeFirm(userId, firm.id)}
          onClose={close}
        >
          {t`All bids, deposits, documents and comments of the firm are deleted at once, also on the server. Export them first. A plan of the firm ends with it.`}
        </FirmConfirmDialog>
      )}
    </Panel>
  );
}
