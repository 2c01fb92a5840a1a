/** The refund policy: SPEC's sentence, with the exceptions of R47. */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const REFUND_DATE = '2026-11-30';

export const refundSections = (): readonly LegalSection[] => [
  {
    id: 'rule',
    title: t`The rule`,
    body: (
      <>
        <p>
          <Trans>
            <strong>All payments are non-refundable.</strong> This is true of yearly plans and of document packages.
          </Trans>
        </p>
        <p>
          <Trans>
            A document package is made and delivered at once. A plan can be tried before it is bought: the 7-day trial
            is free, asks for no card and ends by itself. No plan renews by itself, so nothing is charged that you did
            not start.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'exceptions',
    title: t`The exceptions`,
    body: (
      <>
        <p>{t`These are refunded in full, automatically. You need not ask:`}</p>
        <ul>
          <li>
            <Trans>
              <strong>Paid twice.</strong> An order that was debited more than once keeps one payment; the others go
              back. So does a second order of one account or email address for the same documents, unless you were
              warned that you have them and bought again.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Credit used already.</strong> A payment for the plan of a firm, if the unused days of your own
              plan were credited to another order, replaced or refunded before you paid, or if the firm was closed.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Not delivered.</strong> A document package that we could not deliver.
            </Trans>
          </li>
        </ul>
        <p>{t`Rights that the law gives you as a consumer stay as they are.`}</p>
      </>
    ),
  },
  {
    id: 'failed',
    title: t`Money left, order not confirmed`,
    body: (
      <>
        <p>
          <Trans>
            Sometimes a bank debits before the payment provider confirms. Do not pay again: we keep asking the provider,
            and write to you as soon as it is clear. If the payment failed, the provider returns the money by itself.
          </Trans>
        </p>
        <p>
          <Trans>
            The page <Link to="/payment-status">Payment status</Link>, opened by the link of your order, always shows
            what we know.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'no-refund',
    title: t`What is no reason for a refund`,
    body: (
      <ul>
        <li>
          <Trans>The tender is cancelled, postponed or changed by the authority, or you decide not to bid.</Trans>
        </li>
        <li>{t`The bid is rejected or does not win.`}</li>
        <li>
          <Trans>
            The official documents are free at the portal. This stands beside the button: the ₹99 buys collecting,
            bundling and delivery.
          </Trans>
        </li>
        <li>{t`A plan is not used, or is replaced by a larger one before its year is over.`}</li>
      </ul>
    ),
  },
  {
    id: 'way',
    title: t`How the money comes back`,
    body: (
      <p>
        <Trans>
          To the card, account or UPI id that paid, within 5 working days after we have sent it. You get an e-mail, and
          a credit note where a tax invoice was issued.
        </Trans>
      </p>
    ),
  },
  {
    id: 'help',
    title: t`Questions and complaints`,
    body: (
      <>
        <p>
          <Trans>
            Write to <SiteMailLink to="supportEmail" /> with the number of the order.
          </Trans>
        </p>
        <GrievanceOfficer />
      </>
    ),
  },
];
