import type { StaffRole } from '@nivida/contract/desk/act';
import { DecisionResponse } from '@nivida/contract/desk/approvals';
import type { ReactNode } from 'react';
import type { ButtonVariant } from '../../../ui/Button.tsx';
import { ActButton } from './ActButton.tsx';

/** One way to decide about a proposal. */
interface Decision {
  label: string;
  title: string;
  /** What the toast says. */
  done: string;
  usualReasons?: readonly string[];
  /** Says what follows. */
  children?: ReactNode;
}

interface ProposalActsProps {
  proposal: { id: string; isOwn: boolean };
  may: (role: StaffRole) => boolean;
  confirm: Decision;
  refuse: Decision;
  withdraw: Decision;
}

/** Decides about what waits for a second person: another owner confirms it, another operator refuses it, its author withdraws it. */
export function ProposalActs({ proposal: { id, isOwn }, may, confirm, refuse, withdraw }: ProposalActsProps) {
  const button = (name: string, { done, ...decision }: Decision, look?: ButtonVariant) => (
    <ActButton
      {...decision}
      {...(look && { look, isMain: true })}
      path={`approvals/${id}/${name}`}
      schema={DecisionResponse}
      done={() => done}
    />
  );
  return (
    <div className="row">
      {!isOwn && may('owner') && button('confirm', confirm, 'main')}
      {!isOwn && may('operator') && button('refuse', refuse)}
      {isOwn && button('withdraw', withdraw)}
    </div>
  );
}
