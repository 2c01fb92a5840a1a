import { t } from '@lingui/core/macro';
import type { StaffRole } from '@nivida/contract/desk/act';
import { type DeskOrderFile, OrderActResponse, RefundResponse } from '@nivida/contract/desk/orders';
import { formatRupees } from '@nivida/contract/format';
import { useState } from 'react';
import { Note } from '../../../ui/feedback/Note.tsx';
import { Field, Input } from '../../../ui/form/Field.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { ProposalActs } from '../act/ProposalActs.tsx';
import { deskOrderStatus } from './desk-orders.ts';

/** The acts of operators on an order in its present state. */
export function OrderActs({ order }: { order: DeskOrderFile }) {
  const { id, status, product, isOfAccount, buyer, proposal } = order;
  const [email, setEmail] = useState('');
  const act = (name: string) => ({ path: `orders/${id}/${name}`, schema: OrderActResponse });
  const amount = formatRupees((order.paidPaise ?? order.amountPaise) / 100);
  const isInReview = status === 'REVIEW';
  return (
    <div className="row">
      {isInReview && (
        <ActButton
          {...act('resolve')}
          label={t`Accept payment`}
          title={t`Accept this payment and give the buyer the order?`}
          look="main"
          isMain
          done={() => t`Payment accepted`}
        />
      )}
      <ActButton
        {...act('recheck')}
        label={t`Ask the provider`}
        title={t`Ask the payment provider about this order?`}
        isMain={!isInReview && proposal === null}
        usualReasons={[t`The buyer says that money left the account`]}
        done={(answer) => t`Asked. The order is now: ${deskOrderStatus(answer.status).label}`}
      />
      {status === 'SUCCESS' && product === 'tender-documents' && (
        <ActButton
          {...act('resend')}
          label={t`Send documents again`}
          title={t`Send the buyer a new link to the documents?`}
          usualReasons={[t`The mail did not arrive`]}
          done={() => t`The mail is on its way`}
        />
      )}
      {!isOfAccount && buyer.email !== '' && (
        <ActButton
          {...act('email')}
          label={t`Correct address`}
          title={t`Correct the e-mail address of this order?`}
          body={{ email }}
          usualReasons={[t`The buyer mistyped it`]}
          done={() => t`Address corrected. Both addresses get a mail.`}
          onDone={() => setEmail('')}
        >
          <Field label={t`Right e-mail address`} hint={t`links sent to the old one end`}>
            {(control) => (
              <Input
                {...control}
                type="email"
                autoComplete="off"
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
        </ActButton>
      )}
      {(status === 'SUCCESS' || isInReview || status === 'REFUND_PENDING') && proposal === null && (
        <ActButton
          label={t`Refund`}
          title={t`Refund ${amount} to the buyer?`}
          path={`orders/${id}/refund`}
          schema={RefundResponse}
          reasonHint={t`the buyer reads it too: “We have sent the money back, because …”`}
          usualReasons={[t`you were debited twice`, t`the documents were wrong`]}
          done={({ outcome }) =>
            outcome === 'sent' ? t`The refund was sent` : t`Proposed. An owner confirms it within 24 hours.`
          }
        >
          <p className="s">{t`The money goes back the way it came. A large amount is first confirmed by a second person.`}</p>
        </ActButton>
      )}
    </div>
  );
}

interface RefundProposalProps {
  order: DeskOrderFile;
  proposal: NonNullable<DeskOrderFile['proposal']>;
  may: (role: StaffRole) => boolean;
}

/** A refund that waits for a second person. */
export function RefundProposal({ order, proposal, may }: RefundProposalProps) {
  const { proposedBy, reason, isOwn } = proposal;
  const amount = formatRupees((order.paidPaise ?? order.amountPaise) / 100);
  return (
    <Note tone="amber" icon="user">
      <p>{t`${proposedBy} proposes to refund ${amount}: ${reason}`}</p>
      {isOwn && <p className="s">{t`Another person, an owner, confirms it.`}</p>}
      <ProposalActs
        proposal={proposal}
        may={may}
        confirm={{
          label: t`Confirm refund`,
          title: t`Confirm the refund of ${amount}?`,
          done: t`The refund was sent`,
        }}
        refuse={{ label: t`Refuse refund`, title: t`Refuse the refund of ${amount}?`, done: t`Refund refused` }}
        withdraw={{
          label: t`Withdraw proposal`,
          title: t`Withdraw the proposal to refund ${amount}?`,
          done: t`Proposal of the refund withdrawn`,
        }}
      />
    </Note>
  );
}
